import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { CATEGORIES } from '../../contract/categories.ts';
import { HALF_STARS_MAX, meanStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { hasRow, idsOf } from '../database/found-rows.ts';
import { lockName } from '../database/lock-row.ts';
import { readInSteps } from '../database/paging.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { EntryKey, HalfStarColumn } from '../database/review-tables.ts';
import type { Milliseconds, Tables } from '../database/tables.ts';
import { withSchoolOf } from './location-queries.ts';
import { currentSchools, deletedEntries, entryColumns, hiddenReviews } from './queries.ts';

/** The counts of current entries. */
export function currentCounts(db: Connection) {
  return db.selectFrom('review_counts').where('review_counts.deleted_at', 'is', null);
}

/** The counts of every entry that has a counted review. */
export function countedEntries(db: Connection) {
  return currentCounts(db).where('review_count', '>', 0);
}

/** The number of some reviews and the sum of their half-stars. Sums are exact, means are not. */
export interface Tally {
  reviewCount: number;
  halfStarSum: number;
}

/** The mean in stars; 0 without reviews. */
export const meanOf = ({ reviewCount, halfStarSum }: Tally) => meanStars(halfStarSum, reviewCount);

/** The mean of several tallies together, and the number of their reviews. */
export function ratingOf(tallies: readonly Tally[]): { average: number; count: number } {
  const count = tallies.reduce((total, { reviewCount }) => total + reviewCount, 0);
  const halfStarSum = tallies.reduce((total, tally) => total + tally.halfStarSum, 0);
  return { average: meanStars(halfStarSum, count), count };
}

const queryEntryTally = prepareQuery((db, param: Param<EntryKey & { kind: string }>) =>
  currentCounts(db)
    .select(['review_count as reviewCount', 'half_star_sum as halfStarSum'])
    .where('entry_id', '=', param('id'))
    .where('school_id', '=', param('schoolId'))
    .where('kind', '=', param('kind')),
);

/** @returns undefined when the category has no such entry */
export function findEntryTally(db: Connection, kind: string, id: number): Promise<Tally | undefined> {
  return withSchoolOf(db, 'entries', id, async (schoolId) => (await queryEntryTally(db, { kind, id, schoolId }))[0]);
}

/**
 * Whether no other entry of the same category and school has a review. The lock ensures that of two concurrent first
 * reviews only one is the first.
 */
export async function isAloneInCategory(db: Connection, kind: string, { id, schoolId }: EntryKey): Promise<boolean> {
  await lockName(db, `first review in ${kind} of ${schoolId}`);
  const reviewed = countedEntries(db).select('entry_id').where('kind', '=', kind).where('school_id', '=', schoolId);
  return !(await hasRow(reviewed.where('entry_id', '!=', id).limit(1)));
}

/** Listed in every query of a school's counts, because the primary key begins with the kind. */
const KINDS = CATEGORIES.map(({ kind }) => kind);

/** The counts of all entries of some schools. */
export function countsOfSchools(db: Connection, schoolIds: readonly number[] | RawBuilder<number>[]) {
  return currentCounts(db).where('review_counts.kind', 'in', KINDS).where('review_counts.school_id', 'in', schoolIds);
}

/** The entry of a row of counts. */
export const entryOfCounts = entryColumns('review_counts.entry_id', 'review_counts.school_id');

const querySchoolTallies = prepareQuery((db, param: Param<{ schoolId: number }>) =>
  countsOfSchools(db, [param('schoolId')]).select(['review_count as reviewCount', 'half_star_sum as halfStarSum']),
);

/** The mean of all reviews of a school, and their number. */
export async function findSchoolRating(db: Connection, schoolId: number) {
  return ratingOf(await querySchoolTallies(db, { schoolId }));
}

/** How many schools one query sums up. It takes a few milliseconds if each has twenty entries. */
const BATCH_SIZE = 500;

/** The tally of each school that has counted reviews. */
export async function tallyAllSchools(db: Connection): Promise<(Tally & { readonly id: number })[]> {
  const tallies: (Tally & { readonly id: number })[] = [];
  for await (const schools of readInSteps(currentSchools(db).select('id'), BATCH_SIZE)) {
    if (schools.length === 0) break;
    const rows = await countsOfSchools(db, idsOf(schools))
      .select((select) => [
        'review_counts.school_id as id',
        select.fn.sum<number>('review_count').as('reviewCount'),
        select.fn.sum<number>('half_star_sum').as('halfStarSum'),
      ])
      .where('review_count', '>', 0)
      .groupBy('review_counts.school_id')
      .execute();
    tallies.push(...rows);
  }
  return tallies;
}

/** The schools with the most reviews. */
export async function listMostReviewed(db: Connection, limit: number): Promise<number[]> {
  const tallies = await tallyAllSchools(db);
  const mostFirst = tallies.sort((one, other) => other.reviewCount - one.reviewCount || one.id - other.id);
  return idsOf(mostFirst.slice(0, limit));
}

/** The number of reviews for each rating: counted ones, and hidden ones that are not withdrawn. */
export async function countByStars(db: Connection): Promise<{ counted: number[]; hidden: number[] }> {
  const sums = await currentCounts(db)
    .select((select) => HALF_STAR_COLUMNS.map((column) => select.fn.sum<number>(column).as(column)))
    .executeTakeFirst();
  const rows = await hiddenReviews(db)
    .select((select) => ['half_stars as halfStars', select.fn.countAll<number>().as('amount')])
    .where('withdrawn_at', 'is', null)
    // The entry of each review is not looked up: few entries are deleted, and many reviews may be hidden.
    .where('entry_id', 'not in', deletedEntries(db))
    .groupBy('half_stars')
    .execute();
  const hidden = HALF_STAR_COLUMNS.map(
    (_, index) => rows.find(({ halfStars }) => halfStars === index + 1)?.amount ?? 0,
  );
  return { counted: HALF_STAR_COLUMNS.map((column) => Number(sums?.[column] ?? 0)), hidden };
}

/**
 * Excludes the counts of a school's entries everywhere, or includes them again if `deletedAt` is null. They are kept up
 * to date meanwhile.
 */
export async function setCountsDeleted(
  db: Connection,
  schoolId: number,
  entryIds: readonly number[],
  deletedAt: Milliseconds | null,
): Promise<void> {
  if (entryIds.length === 0) return;
  await db
    .updateTable('review_counts')
    .set({ deleted_at: deletedAt })
    .where('school_id', '=', schoolId)
    .where('entry_id', 'in', entryIds)
    .execute();
}

/** The number of reviews of a school's entries that are visible, or would be if deleted entries were restored. */
export async function countVisibleOf(
  db: Connection,
  schoolId: number,
  entryIds: readonly number[] | SelectQueryBuilder<Tables, 'entries', { id: number }>,
): Promise<number> {
  const row = await db
    .selectFrom('review_counts')
    .select((select) => select.fn.sum<number | null>('review_count').as('reviews'))
    .where('kind', 'in', KINDS)
    .where('school_id', '=', schoolId)
    .where('entry_id', 'in', entryIds)
    .executeTakeFirst();
  return Number(row?.reviews ?? 0);
}

/** Inserts the count rows of new entries. The database deletes them with the entry. */
export async function insertCounts(db: Connection, entries: readonly (EntryKey & { kind: string })[]): Promise<void> {
  const rows = entries.map(({ id, kind, schoolId }) => ({ entry_id: id, kind, school_id: schoolId }));
  await db.insertInto('review_counts').values(rows).execute();
}

export const columnOf = (halfStars: number) => `half_stars_${halfStars}` as HalfStarColumn;

export const HALF_STAR_COLUMNS: readonly HalfStarColumn[] = Array.from({ length: HALF_STARS_MAX }, (_, index) =>
  columnOf(index + 1),
);

/** Something for each of these columns. */
export const forHalfStars = <Value>(toValue: (column: HalfStarColumn) => Value) =>
  // Safe: these are all the columns.
  Object.fromEntries(HALF_STAR_COLUMNS.map((column) => [column, toValue(column)])) as Record<HalfStarColumn, Value>;

/** The columns as a query computes them from reviews. */
export const COUNTED_HALF_STARS = sql.join(
  HALF_STAR_COLUMNS.map(
    (column, index) => sql`count(*) filter (where half_stars = ${index + 1}) as ${sql.ref(column)}`,
  ),
);
