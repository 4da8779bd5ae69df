import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Connection } from '../database/database.ts';
import { hasRow } from '../database/found-rows.ts';
import { locking } from '../database/lock-row.ts';
import { type EntryKey, onSameSchool } from '../database/review-tables.ts';
import type { Milliseconds, Tables } from '../database/tables.ts';

// Visibility and counting are decided in this folder and nowhere else: reads of schools and entries begin with
// `currentSchools` and `currentEntries`, reads of reviews with `visibleReviews`, reads of counts with `currentCounts`.
// Code that stores, hides or removes reviews calls `changeCounts` or `countMany`; only merges and batched posts change
// counts in their own statements.

/** Schools that are not deleted: a deleted one stays as a row for a while, so that it can be restored. */
export function currentSchools(db: Connection) {
  return db.selectFrom('schools').where('schools.deleted_at', 'is', null);
}

/**
 * Entries that are not deleted, whether on their own or with their school, and not merged: a merged entry is only kept
 * for its superseded reviews.
 */
export function currentEntries(db: Connection) {
  return db.selectFrom('entries').where('entries.merged_into', 'is', null).where('entries.deleted_at', 'is', null);
}

/** The reviews that everyone may see. */
export function visibleReviews(db: Connection) {
  return shownReviews(db).where(isOfCurrentEntry);
}

/**
 * `visibleReviews` for lists of all reviews. Deleted entries are few, and are excluded by their ids: PostgreSQL
 * underestimates joins by two columns, and would join and sort all reviews for a page.
 */
export function visibleReviewsOfAll(db: Connection) {
  return shownReviews(db).where('reviews.entry_id', 'not in', deletedEntries(db));
}

/** `visibleReviews` for one entry that is known to be current: its state is not checked again for each review. */
export function visibleReviewsOf(db: Connection, { id, schoolId }: EntryKey | EntryRefs) {
  return shownReviews(db).where('reviews.entry_id', '=', id).where('reviews.school_id', '=', schoolId);
}

/** An entry as a statement names it: by parameters, or by columns of an outer query. */
export interface EntryRefs {
  readonly id: RawBuilder<number>;
  readonly schoolId: RawBuilder<number>;
}

/** The entry that a row of another table refers to, by the names of its columns. */
export const entryColumns = (id: string, schoolId: string): EntryRefs => ({
  id: sql.ref(id),
  schoolId: sql.ref(schoolId),
});

function isOfCurrentEntry({ exists, selectFrom }: ExpressionBuilder<Tables, 'reviews'>) {
  return exists(
    selectFrom('entries')
      .select('entries.id')
      .whereRef('entries.id', '=', 'reviews.entry_id')
      .whereRef('entries.school_id', '=', 'reviews.school_id')
      .where('entries.deleted_at', 'is', null),
  );
}

export const deletedEntries = (db: Connection) =>
  db.selectFrom('entries').select('id').where('deleted_at', 'is not', null);

/**
 * The reviews that long lists leave out. Few entries are deleted, so this is cheaper than checking the entry of each
 * review.
 */
export function reviewsOfDeletedEntries(db: Connection) {
  return allReviews(db).select('reviews.id').where('reviews.entry_id', 'in', deletedEntries(db));
}

/** The reviews that are neither hidden nor withdrawn, even if their entries are deleted. */
export function shownReviews(db: Connection) {
  return allReviews(db).where('reviews.hidden_at', 'is', null).where('reviews.withdrawn_at', 'is', null);
}

/**
 * All reviews, also hidden and withdrawn ones and those of deleted entries: for their authors, for admins and for
 * checks. For a public answer they must be limited to visible ones, as above.
 */
export function allReviews(db: Connection) {
  return db.selectFrom('reviews');
}

/** Whether everyone may see a review and it is counted, provided that its entry is current. */
export const isVisible = (row: { hidden_at: Milliseconds | null; withdrawn_at: Milliseconds | null }) =>
  row.hidden_at === null && row.withdrawn_at === null;

type ReviewSelection = ReturnType<typeof allReviews>;

/** Reviews with their entries. */
export function withEntries(reviews: ReviewSelection) {
  return reviews.innerJoin('entries', onSameSchool('entries.id', 'reviews.entry_id'));
}

/** The reviews that are or were in the moderation queue, each with its item. */
export function withItems(reviews: ReviewSelection) {
  return reviews.innerJoin('moderation_items as item', onSameSchool('item.review_id', 'reviews.id'));
}

/** The hidden reviews. Some of them are withdrawn too. */
export function hiddenReviews(db: Connection) {
  return allReviews(db).where('reviews.hidden_at', 'is not', null);
}

/** Whether there is such a school. It is locked, so that it is not deleted before the transaction ends. */
export function lockSchoolShared(db: Connection, id: number): Promise<boolean> {
  return hasRow(locking(db, currentSchools(db).select('id').where('id', '=', id), { strength: 'keyShare' }));
}

/** Whether there is such a school. */
export function hasSchool(db: Connection, id: number): Promise<boolean> {
  return hasRow(currentSchools(db).select('id').where('id', '=', id));
}

/** Counts the current schools: all of them by an index that includes deleted ones, minus the deleted ones. */
export async function countSchools(db: Connection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from schools) - (select count(*) from schools where deleted_at is not null) as count
  `.execute(db);
  return Number(rows[0]?.count);
}

/** Counts the current entries, like `countSchools`. Merged ones are subtracted too. */
export async function countEntries(db: Connection): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from entries) - (select count(*) from entries where deleted_at is not null)
      - (select count(*) from entries where merged_into is not null and deleted_at is null) as count
  `.execute(db);
  return Number(rows[0]?.count);
}
