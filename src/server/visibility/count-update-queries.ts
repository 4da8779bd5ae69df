import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import { type Connection, isPostgres } from '../database/database.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { EntryKey, HalfStarColumn } from '../database/review-tables.ts';
import type { StoredRow, Tables } from '../database/tables.ts';
import { columnOf, forHalfStars, HALF_STAR_COLUMNS } from './count-queries.ts';

// Updates the counts of an entry whenever its reviews change.

/** Numbers to add to the counts of an entry. */
type HalfStarCounts = Record<HalfStarColumn, number>;

/** The columns of a review that are counted. */
type CountedReview = Pick<StoredRow<'reviews'>, 'half_stars' | 'relation'>;

/** Sums up changes of reviews by group, sorted by key. @param keyOf the group of a review; null if it is not counted */
function sumChangesBy<Row extends CountedReview>(
  rows: readonly (Row & { delta: number })[],
  keyOf: (row: Row) => string | null,
) {
  const counts = new Map<string, { row: Row; counts: HalfStarCounts }>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const counted = counts.get(key) ?? { row, counts: forHalfStars(() => 0) };
    counted.counts[columnOf(row.half_stars)] += row.delta;
    counts.set(key, counted);
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, counted]) => counted);
}

/** The statement that adds to the counts of an entry. It returns how many of its reviews are counted then. */
export const composeChange = (db: Connection, param: Param<HalfStarCounts & EntryKey>) =>
  db
    .updateTable('review_counts')
    .set((row) => forHalfStars((column) => row(`review_counts.${column}`, '+', param(column))))
    .where('review_counts.entry_id', '=', param('id'))
    .where('review_counts.school_id', '=', param('schoolId'))
    .returning('review_count as reviewCount');

const queryChange = prepareQuery(composeChange);

const queryRelationChange = prepareQuery((db, param: Param<HalfStarCounts & EntryKey & { relation: string }>) => {
  const key = { entry_id: param('id'), school_id: param('schoolId'), relation: param('relation') };
  return addRelationCounts(db, (insert) => insert.values({ ...key, ...forHalfStars(param) }));
});

type RelationCountsInsert = InsertQueryBuilder<Tables, 'relation_counts', InsertResult>;

/** The conflict target of an upsert. In SQLite it has no school, because a file is never distributed. */
export const relationTarget = (db: Connection): readonly (keyof Tables['relation_counts'])[] =>
  isPostgres(db) ? ['entry_id', 'relation', 'school_id'] : ['entry_id', 'relation'];

/** Adds to the counts by relation. @param addRows adds the rows to the statement */
export function addRelationCounts(db: Connection, addRows: (insert: RelationCountsInsert) => RelationCountsInsert) {
  return addRows(db.insertInto('relation_counts')).onConflict((conflict) =>
    conflict
      .columns(relationTarget(db))
      .doUpdateSet((row) =>
        forHalfStars((column) => row(`relation_counts.${column}`, '+', row.ref(`excluded.${column}`))),
      ),
  );
}

/**
 * Updates the counts after a change of one review.
 * @param before the review before the change; undefined if it was not counted
 * @param after the review after the change; undefined if it is not counted any more
 * @returns how many reviews of the entry are counted, if its counts have changed
 */
export async function changeCounts(
  db: Connection,
  { id, schoolId }: EntryKey,
  { before, after }: { before?: CountedReview; after?: CountedReview },
): Promise<number | undefined> {
  if (before?.half_stars === after?.half_stars && before?.relation === after?.relation) return undefined;
  const rows = [...(before ? [{ ...before, delta: -1 }] : []), ...(after ? [{ ...after, delta: 1 }] : [])];
  let counted: { reviewCount: number } | undefined;
  if (before?.half_stars !== after?.half_stars) {
    for (const { counts } of sumChangesBy(rows, () => ''))
      [counted] = await queryChange(db, { id, schoolId, ...counts });
  }
  // `sumChangesBy` sorts by relation, so that two transactions cannot deadlock over these rows.
  for (const { row, counts } of sumChangesBy(rows, ({ relation }) => relation)) {
    await queryRelationChange(db, { id, schoolId, relation: row.relation as string, ...counts });
  }
  return counted?.reviewCount;
}

/** Counts many new reviews with two statements: a round trip for each entry would take longer than writing them. */
export async function countMany(
  db: Connection,
  reviews: readonly (CountedReview & { entry_id: number; school_id: number })[],
): Promise<void> {
  const rows = reviews.map((review) => ({ ...review, delta: 1 }));
  const added = sumChangesBy(rows, (row) => String(row.entry_id));
  const values = added.map(
    ({ row, counts }) => sql`(${sql.join([row.entry_id, row.school_id, ...Object.values(counts)])})`,
  );
  const names = sql.join(HALF_STAR_COLUMNS.map((column) => sql.ref(column)));
  // PostgreSQL treats numbers in a list of values as text unless they are cast.
  const sums = HALF_STAR_COLUMNS.map(
    (column) =>
      sql`${sql.ref(column)} = ${sql.ref(`review_counts.${column}`)} + cast(${sql.ref(`added.${column}`)} as integer)`,
  );
  await sql`
    with added (entry_id, school_id, ${names}) as (values ${sql.join(values)})
    update review_counts set ${sql.join(sums)}
    from added
    where review_counts.entry_id = cast(added.entry_id as bigint)
      and review_counts.school_id = cast(added.school_id as bigint)
  `.execute(db);
  const addedByRelation = sumChangesBy(rows, ({ entry_id, relation }) => relation && `${entry_id} ${relation}`);
  if (addedByRelation.length === 0) return;
  await addRelationCounts(db, (insert) =>
    insert.values(
      addedByRelation.map(({ row: { entry_id, school_id, relation }, counts }) => ({
        ...{ entry_id, school_id, relation: relation as string },
        ...counts,
      })),
    ),
  ).execute();
}
