import { isDeepStrictEqual } from 'node:util';
import type { InsertQueryBuilder, InsertResult, RawBuilder } from 'kysely';
import {
  BACKGROUND_FIELDS,
  type Background,
  type LocatedReview,
  type OwnReview,
  type SingleReview,
} from '../../contract/reviews.ts';
import { toHalfStars } from '../../contract/stars.ts';
import { type Connection, together } from '../database/database.ts';
import { idsOf } from '../database/found-rows.ts';
import { type PagePosition, selectPage } from '../database/paging.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import { type EntryKey, onSameSchool, type ReviewKey } from '../database/review-tables.ts';
import type { Milliseconds, StoredRow, Tables } from '../database/tables.ts';
import { isReviewBeingChecked } from '../visibility/checked-queries.ts';
import { changeCounts, countMany } from '../visibility/count-update-queries.ts';
import { rememberSchool, withSchoolOf } from '../visibility/location-queries.ts';
import { allReviews, isVisible, visibleReviews, visibleReviewsOfAll, withEntries } from '../visibility/queries.ts';
import { BY_NEW_ACCOUNT, type ByNewAccount } from './bursts/queries.ts';
import { deleteOutdatedMarks } from './helpful/queries.ts';
import { recordEdit } from './reports/queries.ts';
import { REVIEW_COLUMNS, type ReviewRow, reviewOf, toBackgroundRow } from './review-rows.ts';
import { signCurrently } from './signature-queries.ts';
import { entryKeyOf, recordEvent, type StoredReview, updateStored } from './states/queries.ts';

/** Reviews with their entries and schools. */
export function locatedReviews(reviews: ReturnType<typeof allReviews>) {
  return withEntries(reviews)
    .innerJoin('schools', 'schools.id', 'entries.school_id')
    .select(REVIEW_COLUMNS.map((column) => `reviews.${column}` as const))
    .select([
      'entries.kind as category',
      'entries.id as entryId',
      'entries.name as entryName',
      'schools.id as schoolId',
      'schools.school_name as schoolName',
    ]);
}

const NEWEST_FIRST = { by: ['reviews.created_at', 'reviews.id'], direction: 'desc' } as const;

/**
 * Selects a page of the newest reviews of all entries. The page is chosen before anything is joined. The order names
 * its columns: with those of `reviews`, SQLite would read all reviews in that order and look each one up in the page.
 */
export function selectNewest(db: Connection, position: PagePosition) {
  const ids = visibleReviewsOfAll(db).select(['reviews.id', 'reviews.school_id', 'reviews.created_at']);
  return locatedReviews(allReviews(db))
    .innerJoin(selectPage(ids, NEWEST_FIRST, position).as('page'), onSameSchool('page.id', 'reviews.id'))
    .orderBy('page.created_at', 'desc')
    .orderBy('page.id', 'desc');
}

/** The public form of a row of `locatedReviews`. */
export function locatedReviewOf(row: ReviewRow & Location): LocatedReview {
  const { category, entryId, entryName, schoolId, schoolName } = row;
  return { ...reviewOf(row), category, entryId, entryName, schoolId, schoolName };
}

type Location = Pick<LocatedReview, 'category' | 'entryId' | 'entryName' | 'schoolId' | 'schoolName'>;

/** @returns undefined when no visible review has this id */
export async function findSingleReview(db: Connection, id: number): Promise<SingleReview | undefined> {
  const row = await withSchoolOf(db, 'reviews', id, (schoolId) =>
    locatedReviews(visibleReviews(db))
      .select(isReviewBeingChecked(db).as('isBeingChecked'))
      .where('reviews.id', '=', id)
      .where('reviews.school_id', '=', schoolId)
      .executeTakeFirst(),
  );
  return row && { ...locatedReviewOf(row), isBeingChecked: row.isBeingChecked === 1 };
}

/** A user's own review of an entry, even if it is hidden; undefined when there is none, or it is withdrawn. */
export async function findOwnReview(db: Connection, entry: EntryKey, userId: number): Promise<OwnReview | undefined> {
  const row = await allReviews(db)
    .select([...REVIEW_COLUMNS, 'hidden_at'])
    .where('entry_id', '=', entry.id)
    .where('school_id', '=', entry.schoolId)
    .where('user_id', '=', userId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst();
  return row && { ...reviewOf(row), userId, isHidden: row.hidden_at !== null };
}

/** The ids of those entries that have reviews, in whatever state, by others than this user. */
export async function findReviewedByOthers(
  db: Connection,
  entries: readonly EntryKey[],
  userId: number,
): Promise<Set<number>> {
  if (entries.length === 0) return new Set();
  const rows = await allReviews(db)
    .select('entry_id')
    .distinct()
    .where('entry_id', 'in', idsOf(entries))
    .where('school_id', 'in', [...new Set(entries.map(({ schoolId }) => schoolId))])
    .where((row) => row.or([row('user_id', 'is', null), row('user_id', '!=', userId)]))
    .execute();
  return new Set(rows.map((row) => row.entry_id));
}

/** The review that prevents a user from posting one for an entry, even if it is hidden or withdrawn. */
export function findBlockingReview(db: Connection, entry: EntryKey, userId: number) {
  return allReviews(db)
    .select(['id', 'school_id', 'hidden_at', 'withdrawn_at'])
    .where('entry_id', '=', entry.id)
    .where('school_id', '=', entry.schoolId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export interface ReviewValues extends Background {
  /** In stars. */
  rating: number;
  review: string;
  /** Null for an anonymous review. */
  username: string | null;
}

/** The columns that a new review sets. */
export const NEW_REVIEW_COLUMNS = [
  ...(['entry_id', 'school_id', 'user_id', 'username'] as const),
  ...(['half_stars', 'review', 'created_at', 'by_new_account'] as const),
  ...BACKGROUND_FIELDS,
];
export type NewReviewRow = Pick<StoredRow<'reviews'>, (typeof NEW_REVIEW_COLUMNS)[number]>;

export function newReviewRow(
  entry: EntryKey,
  userId: number,
  { rating, review, username, ...background }: ReviewValues,
  now: Milliseconds,
  byNewAccount: ByNewAccount,
): NewReviewRow {
  return {
    entry_id: entry.id,
    school_id: entry.schoolId,
    user_id: userId,
    username,
    half_stars: toHalfStars(rating),
    review,
    created_at: now,
    by_new_account: byNewAccount,
    ...toBackgroundRow(background),
  };
}

type ReviewInsert = InsertQueryBuilder<Tables, 'reviews', InsertResult>;

/** Adds a review unless its author has one of the entry. @param addRow adds its values to the statement */
export const addReview = (db: Connection, addRow: (insert: ReviewInsert) => ReviewInsert) =>
  addRow(db.insertInto('reviews'))
    // The key is not named by its columns: a later version adds the school to that of user and entry.
    .onConflict((conflict) => conflict.doNothing())
    .returning(REVIEW_COLUMNS);

const queryInsert = prepareQuery((db, param: Param<NewReviewRow>) => {
  const values = NEW_REVIEW_COLUMNS.map((column) => [column, param(column)]);
  // Safe: these are all the columns of a new review.
  return addReview(db, (insert) =>
    insert.values(Object.fromEntries(values) as Record<keyof NewReviewRow, RawBuilder<never>>),
  );
});

/**
 * Adds a review and counts it.
 * @param byNewAccount `counted` only for a review that a person posts; the caller then calls `trackBurst`
 * @returns the review, and whether it is the only visible one of the entry; undefined when the user has reviewed the
 * entry already
 */
export async function insertReview(
  db: Connection,
  entry: EntryKey,
  userId: number,
  values: ReviewValues,
  now: Milliseconds,
  byNewAccount: ByNewAccount = BY_NEW_ACCOUNT.no,
): Promise<(OwnReview & { isOnly: boolean }) | undefined> {
  const [row] = await queryInsert(db, newReviewRow(entry, userId, values, now, byNewAccount));
  if (!row) return undefined;
  rememberSchool('reviews', row.id, entry.schoolId);
  const [signed, reviewCount] = await together([
    signCurrently(db, { ...row, school_id: entry.schoolId }, userId),
    changeCounts(db, entry, { after: row }),
  ]);
  return { ...reviewOf(signed), userId, isHidden: false, isOnly: reviewCount === 1 };
}

/** Makes a review by a new account stay in its burst without counting towards it. */
export async function markUncounted(db: Connection, review: ReviewKey): Promise<void> {
  await updateStored(db, review).set({ by_new_account: BY_NEW_ACCOUNT.uncounted }).execute();
}

/** Updates a locked review and, unless it is hidden, the entry's counts. An edit that is sent again changes nothing. */
export async function updateReview(
  db: Connection,
  before: StoredReview,
  userId: number,
  { rating, review, username, ...background }: ReviewValues,
  now: Milliseconds,
): Promise<OwnReview> {
  const written = { half_stars: toHalfStars(rating), review, username, ...toBackgroundRow(background) };
  const isHidden = !isVisible(before);
  const stored = await allReviews(db)
    .select([...REVIEW_COLUMNS, 'marked_text', 'marked_half_stars'])
    .where('id', '=', before.id)
    .where('school_id', '=', before.school_id)
    .executeTakeFirstOrThrow();
  if (before.edited_at !== null && isDeepStrictEqual({ ...stored, ...written }, stored)) {
    return { ...reviewOf(stored), userId, isHidden };
  }
  const markColumns = await deleteOutdatedMarks(db, { ...before, ...stored }, { rating, review });
  // Always later than what an admin may have read, also by the clock of a machine that is behind.
  const editedAt = Math.max(now, (before.edited_at ?? before.created_at) + 1);
  const row = await updateStored(db, before)
    .set({ ...written, edited_at: editedAt, ...markColumns })
    .returning(REVIEW_COLUMNS)
    .executeTakeFirstOrThrow();
  const signed = await signCurrently(db, { ...row, school_id: before.school_id }, userId);
  if (!isHidden) await changeCounts(db, entryKeyOf(before), { before, after: row });
  await recordEvent(db, before, 'edited', now);
  const isTextChanged = stored.review !== row.review;
  if (isTextChanged || before.half_stars !== written.half_stars) {
    await recordEdit(db, { ...before, textBefore: stored.review, isTextChanged, isVisible: !isHidden }, now);
  }
  return { ...reviewOf(signed), userId, isHidden };
}

export interface BulkReview extends Background {
  entryId: number;
  schoolId: number;
  userId: number;
  username: string | null;
  halfStars: number;
  review: string;
  createdAt: Milliseconds;
}

/** Adds many reviews and counts them. None of them may exist already. */
export async function insertReviews(db: Connection, reviews: readonly BulkReview[]): Promise<void> {
  const rows = reviews.map((review) => ({
    entry_id: review.entryId,
    school_id: review.schoolId,
    user_id: review.userId,
    username: review.username,
    half_stars: review.halfStars,
    review: review.review,
    created_at: review.createdAt,
    edited_at: null,
    ...toBackgroundRow(review),
  }));
  await db.insertInto('reviews').values(rows).execute();
  await countMany(db, rows);
}
