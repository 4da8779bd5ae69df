export const name = '011-aliases';

/** Other names of a school as a JSON list, because they are only read and written together with the school. */
export function statements(): string[] {
  return [`alter table schools add column aliases text not null default '[]'`];
}
