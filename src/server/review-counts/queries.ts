import { type RawBuilder, sql } from 'kysely';
import { CATEGORIES } from '../../contract/categories.ts';
import { HALF_STARS_MAX, meanStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import type { HalfStarColumn, Milliseconds } from '../database/tables.ts';

// What is visible and what is counted is decided here and nowhere else: reads of reviews begin with `visibleReviews`,
// reads of counts with `countedEntries`, and whoever stores, hides or removes a review says so to `changeCounts`.

/** The reviews that everyone may see. */
export function visibleReviews(db: Connection) {
  return allReviews(db).where('reviews.hidden_at', 'is', null).where('reviews.withdrawn_at', 'is', null);
}

/** Hidden and withdrawn ones too: for their authors, for admins and for checks, never for a public answer. */
export function allReviews(db: Connection) {
  return db.selectFrom('reviews');
}

/** Whether everyone may see a review, and it counts. */
export const isVisible = (row: { hidden_at: Milliseconds | null; withdrawn_at: Milliseconds | null }) =>
  row.hidden_at === null && row.withdrawn_at === null;

/** The reviews that are hidden now, of which some are withdrawn too. */
export function hiddenReviews(db: Connection) {
  return allReviews(db).where('reviews.hidden_at', 'is not', null);
}

/** The counts of every entry that has a counted review. */
export function countedEntries(db: Connection) {
  return db.selectFrom('review_counts').where('review_count', '>', 0);
}

/** The number of some reviews and the sum of their half-stars: sums are exact, means are not. */
export interface Tally {
  reviewCount: number;
  halfStarSum: number;
}

/** The mean in stars, 0 without reviews. */
export const meanOf = ({ reviewCount, halfStarSum }: Tally) => meanStars(halfStarSum, reviewCount);

/** The mean of several together, and how many reviews they are. */
export function ratingOf(tallies: readonly Tally[]): { average: number; count: number } {
  const count = tallies.reduce((total, { reviewCount }) => total + reviewCount, 0);
  const halfStarSum = tallies.reduce((total, tally) => total + tally.halfStarSum, 0);
  return { average: meanStars(halfStarSum, count), count };
}

const queryEntry = prepareQuery((db, given: Given<{ entryId: number; kind: string }>) =>
  db
    .selectFrom('review_counts')
    .select(['review_count as reviewCount', 'half_star_sum as halfStarSum'])
    .where('entry_id', '=', given('entryId'))
    .where('kind', '=', given('kind')),
);

/** @returns undefined when the category has no such entry */
export async function findEntryTally(db: Connection, kind: string, entryId: number): Promise<Tally | undefined> {
  const [row] = await queryEntry(db, { kind, entryId });
  return row;
}

const KINDS = CATEGORIES.map(({ kind }) => kind);

/** The counts of all entries of schools. */
export function countsOfSchools(db: Connection, schoolIds: readonly number[] | RawBuilder<number>[]) {
  return (
    db
      .selectFrom('review_counts')
      // Named, so that the primary key, in which the kind comes first, finds the schools in each.
      .where('review_counts.kind', 'in', KINDS)
      .where('review_counts.school_id', 'in', schoolIds)
  );
}

const querySchool = prepareQuery((db, given: Given<{ schoolId: number }>) =>
  countsOfSchools(db, [given('schoolId')]).select(['review_count as reviewCount', 'half_star_sum as halfStarSum']),
);

/** The mean of all reviews of a school, and how many they are. */
export async function findSchoolRating(db: Connection, schoolId: number) {
  return ratingOf(await querySchool(db, { schoolId }));
}

/** The schools with the most reviews. */
export async function listMostReviewed(db: Connection, limit: number): Promise<number[]> {
  const rows = await countedEntries(db)
    .select((select) => ['school_id as id', select.fn.sum<number>('review_count').as('reviews')])
    .groupBy('school_id')
    .orderBy('reviews', 'desc')
    .orderBy('school_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** How many reviews there are of each number of half-stars: counted ones, and hidden ones that nobody withdrew. */
export async function countByStars(db: Connection): Promise<{ counted: number[]; hidden: number[] }> {
  const sums = await db
    .selectFrom('review_counts')
    .select((select) => COLUMNS.map((column) => select.fn.sum<number>(column).as(column)))
    .executeTakeFirst();
  const rows = await hiddenReviews(db)
    .select((select) => ['half_stars as halfStars', select.fn.countAll<number>().as('amount')])
    .where('withdrawn_at', 'is', null)
    .groupBy('half_stars')
    .execute();
  const hidden = COLUMNS.map((_, index) => rows.find(({ halfStars }) => halfStars === index + 1)?.amount ?? 0);
  return { counted: COLUMNS.map((column) => Number(sums?.[column] ?? 0)), hidden };
}

interface NewEntry {
  readonly id: number;
  readonly kind: string;
  readonly schoolId: number;
}

/** Inserts the rows that count the reviews of entries; the database deletes them with the entry. */
export async function insertCounts(db: Connection, entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map(({ id, kind, schoolId }) => ({ entry_id: id, kind, school_id: schoolId }));
  await db.insertInto('review_counts').values(rows).execute();
}

const columnOf = (halfStars: number) => `half_stars_${halfStars}` as HalfStarColumn;

export const COLUMNS: readonly HalfStarColumn[] = Array.from({ length: HALF_STARS_MAX }, (_, index) =>
  columnOf(index + 1),
);

const queryChange = prepareQuery((db, given: Given<Record<HalfStarColumn, number> & { entryId: number }>) =>
  db
    .updateTable('review_counts')
    .set((row) => Object.fromEntries(COLUMNS.map((column) => [column, row(column, '+', given(column))])))
    .where('entry_id', '=', given('entryId')),
);

/**
 * Counts what a transaction does to one review.
 * @param before its half-stars until now, if it was counted
 * @param after its half-stars from now on, if it is counted
 */
export async function changeCounts(
  db: Connection,
  entryId: number,
  { before, after }: { before?: number; after?: number },
): Promise<void> {
  if (before === after) return;
  const change = Object.fromEntries(COLUMNS.map((column) => [column, 0])) as Record<HalfStarColumn, number>;
  if (before !== undefined) change[columnOf(before)] -= 1;
  if (after !== undefined) change[columnOf(after)] += 1;
  await queryChange(db, { entryId, ...change });
}

/** Counts many new reviews with one statement: a round trip for each entry would take longer than writing them. */
export async function countMany(
  db: Connection,
  reviews: readonly { entryId: number; halfStars: number }[],
): Promise<void> {
  const added = new Map<number, number[]>();
  for (const { entryId, halfStars } of reviews) {
    const counts = added.get(entryId) ?? COLUMNS.map(() => 0);
    counts[halfStars - 1] = (counts[halfStars - 1] ?? 0) + 1;
    added.set(entryId, counts);
  }
  const rows = [...added].map(([entryId, counts]) => sql`(${sql.join([entryId, ...counts])})`);
  const names = sql.join(COLUMNS.map((column) => sql.ref(column)));
  // Numbers in a list of values are text to PostgreSQL until they are cast.
  const sums = COLUMNS.map(
    (column) =>
      sql`${sql.ref(column)} = ${sql.ref(`review_counts.${column}`)} + cast(${sql.ref(`added.${column}`)} as integer)`,
  );
  await sql`
    with added (entry_id, ${names}) as (values ${sql.join(rows)})
    update review_counts set ${sql.join(sums)}
    from added
    where review_counts.entry_id = cast(added.entry_id as bigint)
  `.execute(db);
}

/** The counts of an entry beside its reviews, which they must equal. */
export interface Comparison {
  entryId: number;
  /** Of every number of half-stars, from 1 on; null when the entry has no counts of its own school and category. */
  counted: number[] | null;
  found: number[];
  /** Reviews that name another school than their entry. */
  strays: number;
}

/** Compares the entries above one id, up to another, as of one moment. */
export async function compareCounts(db: Connection, above: number, upTo: number): Promise<Comparison[]> {
  const rows = await db
    .selectFrom('entries')
    .leftJoin('review_counts', (join) =>
      join
        .onRef('review_counts.entry_id', '=', 'entries.id')
        .onRef('review_counts.school_id', '=', 'entries.school_id')
        .onRef('review_counts.kind', '=', 'entries.kind')
        // Follows from the first line; PostgreSQL reads every row there is unless it is told.
        .on('review_counts.entry_id', '>', above)
        .on('review_counts.entry_id', '<=', upTo),
    )
    .leftJoin('reviews', (join) =>
      join
        .onRef('reviews.entry_id', '=', 'entries.id')
        .on('reviews.entry_id', '>', above)
        .on('reviews.entry_id', '<=', upTo)
        .on('reviews.hidden_at', 'is', null)
        .on('reviews.withdrawn_at', 'is', null),
    )
    .where('entries.id', '>', above)
    .where('entries.id', '<=', upTo)
    .select((select) => [
      'entries.id as entryId',
      ...COLUMNS.map((column) => select.fn.max(`review_counts.${column}`).as(column)),
      ...COLUMNS.map((column, index) =>
        select.fn
          .count<number>('reviews.id')
          .filterWhere('reviews.half_stars', '=', index + 1)
          .as(`found_${column}` as const),
      ),
      select.fn
        .count<number>('reviews.id')
        .filterWhere('reviews.school_id', '!=', select.ref('entries.school_id'))
        .as('strays'),
    ])
    .groupBy('entries.id')
    .orderBy('entries.id')
    .execute();
  return rows.map((row) => ({
    entryId: row.entryId,
    counted: row.half_stars_1 === null ? null : COLUMNS.map((column) => row[column] ?? 0),
    found: COLUMNS.map((column) => row[`found_${column}`]),
    strays: row.strays,
  }));
}

/** The highest id of an entry; 0 without any. */
export async function findLastEntryId(db: Connection): Promise<number> {
  const row = await db
    .selectFrom('entries')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}
