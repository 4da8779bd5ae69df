import { sql } from 'kysely';
import type { Category } from '../../contract/categories.ts';
import type { OwnReview, Review } from '../../contract/reviews.ts';
import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds } from '../database/tables.ts';
import { type ReviewCursor, splitPage } from './cursor.ts';

/** Ratings are stored as half-stars. */
const HALF = 0.5;

interface ReviewRow {
  id: number;
  review: string;
  rating: number;
  created_at: Milliseconds;
  edited_at: Milliseconds | null;
  username: string | null;
}

/** What `reviewOf` needs. */
export const REVIEW_COLUMNS = ['id', 'review', 'rating', 'created_at', 'edited_at', 'username'] as const;

const instant = (time: Milliseconds) => new Date(time).toISOString();

/** What everyone sees: a literal, so that no column gets out that is not named here. */
export function reviewOf(row: ReviewRow): Review {
  return {
    id: row.id,
    review: row.review,
    rating: row.rating * HALF,
    createdAt: instant(row.created_at),
    ...(row.edited_at !== null && { editedAt: instant(row.edited_at) }),
    ...(row.username !== null && { username: row.username }),
  };
}

interface Page {
  entryId: number;
  rows: number;
}

const queryFirstPage = prepareQuery((db, given: Given<Page>) => newestReviews(db, given));

const queryNextPage = prepareQuery((db, given: Given<Page & ReviewCursor>) =>
  newestReviews(db, given).where((row) =>
    row(row.refTuple('created_at', 'id'), '<', row.tuple(given('createdAt'), given('id'))),
  ),
);

function newestReviews(db: Connection, given: Given<Page>) {
  return db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('entry_id', '=', given('entryId'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(given('rows'));
}

/** Reviews of an entry, newest first, and where the next page begins if there is one. */
export async function listReviews(
  db: Connection,
  entryId: number,
  { limit, before }: { limit: number; before: ReviewCursor | undefined },
): Promise<{ reviews: Review[]; next: ReviewCursor | undefined }> {
  const page = { entryId, rows: limit + 1 };
  const rows = await (before ? queryNextPage(db, { ...page, ...before }) : queryFirstPage(db, page));
  const { shown, next } = splitPage(rows, limit);
  return { reviews: shown.map(reviewOf), next };
}

/** A user's own review of an entry. */
export async function findOwnReview(db: Connection, entryId: number, userId: number): Promise<OwnReview | undefined> {
  const row = await db
    .selectFrom('reviews')
    .select(REVIEW_COLUMNS)
    .where('entry_id', '=', entryId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { ...reviewOf(row), userId };
}

export interface ReviewValues {
  /** In stars. */
  rating: number;
  review: string;
  /** Null: anonymous. */
  username: string | null;
}

const addToCounters = prepareQuery((db, given: Given<{ entryId: number; halfStars: number; reviews: number }>) =>
  db
    .updateTable('entries')
    .set((row) => ({
      rating_sum: row('rating_sum', '+', given('halfStars')),
      rating_count: row('rating_count', '+', given('reviews')),
    }))
    .where('id', '=', given('entryId')),
);

interface NewReview {
  entryId: number;
  schoolId: number;
  userId: number;
  username: string | null;
  halfStars: number;
  review: string;
  now: Milliseconds;
}

const queryInsert = prepareQuery((db, given: Given<NewReview>) =>
  db
    .insertInto('reviews')
    .values({
      entry_id: given('entryId'),
      school_id: given('schoolId'),
      user_id: given('userId'),
      username: given('username'),
      rating: given('halfStars'),
      review: given('review'),
      created_at: given('now'),
      edited_at: null,
    })
    .onConflict((conflict) => conflict.columns(['entry_id', 'user_id']).doNothing())
    .returning(REVIEW_COLUMNS),
);

/** Adds a review and counts it. @returns undefined when this user has reviewed the entry already */
export async function insertReview(
  db: Connection,
  entry: { id: number; schoolId: number },
  userId: number,
  { rating, review, username }: ReviewValues,
  now: Milliseconds,
): Promise<OwnReview | undefined> {
  const halfStars = rating / HALF;
  const [row] = await queryInsert(db, {
    entryId: entry.id,
    schoolId: entry.schoolId,
    userId,
    username,
    halfStars,
    review,
    now,
  });
  if (!row) return undefined;
  await addToCounters(db, { entryId: entry.id, halfStars, reviews: 1 });
  return { ...reviewOf(row), userId };
}

/** A review of this category with whose it is; one of another category with the same id is not found. */
export function findReview(db: Connection, category: Category, id: number) {
  return db
    .selectFrom('reviews')
    .innerJoin('entries', 'entries.id', 'reviews.entry_id')
    .select(['reviews.id', 'reviews.user_id as userId', 'reviews.entry_id as entryId', 'entries.school_id as schoolId'])
    .where('reviews.id', '=', id)
    .where('entries.kind', '=', category.kind)
    .executeTakeFirst();
}

/** Corrects a user's own review and the entry's counters. @returns undefined when it is gone */
export async function updateReview(
  db: Connection,
  id: number,
  userId: number,
  { rating, review, username }: ReviewValues,
  now: Milliseconds,
): Promise<OwnReview | undefined> {
  const halfStars = rating / HALF;
  const before = await lockReview(db, id);
  if (!before) return undefined;
  const row = await db
    .updateTable('reviews')
    .set({ rating: halfStars, review, username, edited_at: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(REVIEW_COLUMNS)
    .executeTakeFirst();
  if (!row) return undefined;
  await addToCounters(db, { entryId: before.entry_id, halfStars: halfStars - before.rating, reviews: 0 });
  return { ...reviewOf(row), userId };
}

/**
 * The review as it is until this unit ends. The harmless update locks the row on both engines (SQLite knows no
 * FOR UPDATE), so that two corrections at once cannot both subtract the same old rating.
 */
function lockReview(db: Connection, id: number) {
  return db
    .updateTable('reviews')
    .set((row) => ({ rating: row.ref('rating') }))
    .where('id', '=', id)
    .returning(['rating', 'entry_id'])
    .executeTakeFirst();
}

/** Deletes a review and takes it out of the entry's counters. @returns whether there was one */
export async function deleteReview(db: Connection, id: number): Promise<boolean> {
  const row = await db.deleteFrom('reviews').where('id', '=', id).returning(['rating', 'entry_id']).executeTakeFirst();
  if (!row) return false;
  await addToCounters(db, { entryId: row.entry_id, halfStars: -row.rating, reviews: -1 });
  return true;
}

/**
 * Makes a user's reviews nobody's.
 * @returns the entries that showed the user's name. Those of anonymous reviews answer as before, and who watches which
 * answers are made anew must not learn where the user wrote.
 */
export async function anonymiseReviews(db: Connection, userId: number): Promise<number[]> {
  // Locked first, by the harmless update: a name signed in the meantime would otherwise go unnoticed.
  const locked = await db
    .updateTable('reviews')
    .set((row) => ({ username: row.ref('username') }))
    .where('user_id', '=', userId)
    .returning(['entry_id', 'username'])
    .execute();
  await db.updateTable('reviews').set({ user_id: null, username: null }).where('user_id', '=', userId).execute();
  return locked.filter(({ username }) => username !== null).map((row) => row.entry_id);
}

/** Mean rating in stars; 0 without reviews. */
export function averageOf(ratingSum: number, ratingCount: number): number {
  return ratingCount === 0 ? 0 : (ratingSum * HALF) / ratingCount;
}

export interface BulkReview {
  entryId: number;
  schoolId: number;
  userId: number;
  username: string | null;
  halfStars: number;
  review: string;
  createdAt: Milliseconds;
}

/** Adds many reviews, none of which may be there, and counts them. */
export async function insertReviews(db: Connection, reviews: readonly BulkReview[]): Promise<void> {
  const rows = reviews.map((review) => ({
    entry_id: review.entryId,
    school_id: review.schoolId,
    user_id: review.userId,
    username: review.username,
    rating: review.halfStars,
    review: review.review,
    created_at: review.createdAt,
    edited_at: null,
  }));
  await db.insertInto('reviews').values(rows).execute();
  await addToManyCounters(db, reviews);
}

/** One statement for all: a round trip an entry would take longer than writing the reviews. */
async function addToManyCounters(db: Connection, reviews: readonly BulkReview[]): Promise<void> {
  const sums = new Map<number, number[]>();
  for (const { entryId, halfStars } of reviews) {
    const [, sum = 0, count = 0] = sums.get(entryId) ?? [];
    sums.set(entryId, [entryId, sum + halfStars, count + 1]);
  }
  const rows = [...sums.values()].map((row) => sql`(${sql.join(row)})`);
  // Numbers in a list of values are text to PostgreSQL until they are cast.
  await sql`
    with added (entry_id, half_stars, reviews) as (values ${sql.join(rows)})
    update entries
    set rating_sum = rating_sum + cast(added.half_stars as bigint),
      rating_count = rating_count + cast(added.reviews as bigint)
    from added
    where entries.id = cast(added.entry_id as bigint)
  `.execute(db);
}
