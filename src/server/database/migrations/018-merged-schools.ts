import type { ColumnTypes } from '../migrate.ts';

export const name = '018-merged-schools';

/**
 * Where schools and entries went that were merged into others. A merged school is a row of its own table: nothing can
 * refer to it any more. A merged entry stays where it is, out of sight, for the reviews that gave way to newer ones of
 * their authors. See docs/decisions/020-merging.md.
 */
export function statements({ integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    // Whoever copies rows in the order of their ids may copy an entry before the one that it was merged into.
    `alter table entries add column merged_into ${integer}
      references entries (id) on delete cascade deferrable initially deferred`,
    'create index entries_merged on entries (merged_into) where merged_into is not null',
    // Name, location and import key tell an import that the school is there, also once its successor is deleted.
    `create table merged_schools (
      id ${integer} primary key,
      school_id ${integer} references schools (id) on delete set null,
      prefix_key ${key} not null,
      location text not null,
      import_key ${key} unique
    ) ${tableOptions}`,
    'create index merged_schools_by_school on merged_schools (school_id)',
    'create index merged_schools_by_prefix on merged_schools (prefix_key)',
  ];
}
