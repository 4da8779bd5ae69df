import { sql } from 'kysely';
import type { Connection } from '../database.ts';

export const name = '031-filled-state';

/** How many rows one statement changes. */
const BATCH_SIZE = 5_000;

/** The primary key of each table, and the table that says which school its rows belong to. */
const TABLES = {
  helpful_marks: { keys: ['review_id', 'user_id'], parent: 'reviews', parentId: 'review_id' },
  moderation_items: { keys: ['review_id'], parent: 'reviews', parentId: 'review_id' },
  reports: { keys: ['id'], parent: 'reviews', parentId: 'review_id' },
  appeals: { keys: ['id'], parent: 'reviews', parentId: 'review_id' },
  review_events: { keys: ['id'], parent: 'reviews', parentId: 'review_id' },
  relation_counts: { keys: ['entry_id', 'relation'], parent: 'entries', parentId: 'entry_id' },
};

/** Fills the columns that 029 and 030 have added in existing rows. */
export async function backfill(db: Connection): Promise<number> {
  const superseded = await markSuperseded(db);
  if (superseded > 0) return superseded;
  for (const [table, { keys, parent, parentId }] of Object.entries(TABLES)) {
    const key = sql.join(keys.map((column) => sql.ref(column)));
    const schoolId = sql`select parent.school_id from ${sql.table(parent)} as parent
      where parent.id = ${sql.ref(`${table}.${parentId}`)}`;
    // An event outlives its review, and then its school is no longer known.
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set school_id = (${schoolId})
      where (${key}) in (
        select ${key} from ${sql.table(table)} where school_id is null and exists (${schoolId}) limit ${BATCH_SIZE})
    `.execute(db);
    if (numAffectedRows > 0n) return Number(numAffectedRows);
  }
  return 0;
}

/** The reviews of a merged entry are those that were superseded in the merge. */
async function markSuperseded(db: Connection): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update reviews set superseded_by = coalesce(
      (select newer.id from entries join reviews as newer on newer.entry_id = entries.merged_into
        where entries.id = reviews.entry_id and newer.user_id = reviews.user_id), id)
    where id in (
      select reviews.id from entries join reviews on reviews.entry_id = entries.id
      where entries.merged_into is not null and reviews.superseded_by is null limit ${BATCH_SIZE})`.execute(db);
  return Number(numAffectedRows);
}
