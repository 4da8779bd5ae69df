import type { ColumnTypes } from '../migrate.ts';

export const name = '010-review-background';

/** The optional data about the author, and the number of helpful marks. No row is rewritten. */
export function statements({ key, integer }: ColumnTypes): string[] {
  return [
    `alter table reviews add column relation ${key} check (relation in ('student', 'alumnus', 'parent', 'educator'))`,
    `alter table reviews add column since ${integer}`,
    `alter table reviews add column until ${integer}`,
    `alter table reviews add column helpful ${integer} not null default 0 check (helpful >= 0)`,
  ];
}
