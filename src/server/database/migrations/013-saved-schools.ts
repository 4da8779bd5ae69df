import type { ColumnTypes } from '../migrate.ts';

export const name = '013-saved-schools';

/** The schools that users have saved. Deleted together with the school or the user; an index serves each. */
export function statements({ integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table saved_schools (
      user_id ${integer} not null references users (id) on delete cascade,
      school_id ${integer} not null references schools (id) on delete cascade,
      saved_at ${integer} not null,
      primary key (user_id, school_id)
    ) ${tableOptions}`,
    'create index saved_schools_newest on saved_schools (user_id, saved_at, school_id)',
    'create index saved_schools_by_school on saved_schools (school_id)',
  ];
}
