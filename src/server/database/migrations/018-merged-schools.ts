import type { ColumnTypes } from '../migrate.ts';

export const name = '018-merged-schools';

/**
 * Records which school or entry another one was merged into. A merged school becomes a row of its own table, because
 * nothing refers to it any more. A merged entry stays in its table, but invisible, for reviews that were replaced by
 * newer ones of the same authors. See docs/decisions/020-merging.md.
 */
export function statements({ integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    // Deferred: a program that copies rows in the order of their ids may copy an entry before its successor.
    `alter table entries add column merged_into ${integer}
      references entries (id) on delete cascade deferrable initially deferred`,
    'create index entries_merged on entries (merged_into) where merged_into is not null',
    // Name, location and import key prevent an import from adding the school again, even after its successor is
    // deleted.
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
