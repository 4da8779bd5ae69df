import type { ColumnTypes } from '../migrate.ts';

export const name = '020-deletions';

/**
 * Schools and entries that admins delete stay for a while, so that they can be restored. An entry also says whether it
 * was deleted with its school, and so do its counts: the most frequent reads need one table. See
 * docs/decisions/021-brought-back.md.
 */
export function statements({ id, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `alter table schools add column deleted_at ${integer}`,
    `alter table entries add column deleted_at ${integer}`,
    `alter table review_counts add column deleted_at ${integer}`,
    // Partial indexes: they hold only what is deleted.
    'create index schools_deleted on schools (id) where deleted_at is not null',
    'create index entries_deleted on entries (id) where deleted_at is not null',
    // One row for each thing that an admin deleted: an entry that was deleted with its school has none of its own. No
    // foreign key to the admin, whose account may be deleted meanwhile.
    `create table deletions (
      id ${id},
      school_id ${integer} unique references schools (id) on delete cascade,
      entry_id ${integer} unique references entries (id) on delete cascade,
      user_id ${integer} not null,
      deleted_at ${integer} not null,
      check ((school_id is null) <> (entry_id is null))
    ) ${tableOptions}`,
    'create index deletions_by_time on deletions (deleted_at, id)',
  ];
}
