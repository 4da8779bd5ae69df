import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import type { Milliseconds, Tables } from '../../database/tables.ts';
import { areBeingChecked } from '../../visibility/checked-queries.ts';
import { COLUMNS, currentCounts, type Tally } from '../../visibility/count-queries.ts';
import { shownReviews } from '../../visibility/queries.ts';

/** The entries that a summary is of, by their ids. */
type EntryIds = RawBuilder<number>[] | SelectQueryBuilder<Tables, 'review_counts', { entry_id: number }>;

/** The number and the sum of the visible reviews of entries since a time. */
function recentReviews(db: Connection, entryIds: EntryIds, since: RawBuilder<Milliseconds>) {
  return shownReviews(db)
    .select((select) => [
      select.fn.countAll<number>().as('recentCount'),
      select.fn.coalesce(select.fn.sum<number>('half_stars'), sql<number>`0`).as('recentSum'),
    ])
    .where('reviews.entry_id', 'in', entryIds)
    .where('created_at', '>=', since);
}

const sums = COLUMNS.map((column) => sql<number>`sum(${sql.ref(column)})`.as(column));

/** One statement, so that all figures are consistent. */
function composeSummary(db: Connection, entryIds: EntryIds, recent: ReturnType<typeof recentReviews>) {
  const counted = currentCounts(db).select(sums).where('entry_id', 'in', entryIds);
  return db
    .selectFrom(counted.as('counted'))
    .innerJoin(recent.as('recent'), (join) => join.onTrue())
    .select([sql<string | null>`null`.as('relation'), ...COLUMNS, 'recentCount', 'recentSum'])
    .select(areBeingChecked(db, entryIds).as('isBeingChecked'))
    .unionAll(
      db
        .selectFrom('relation_counts')
        .select(['relation', ...sums, sql<number>`0`.as('recentCount'), sql<number>`0`.as('recentSum')])
        .select(sql<number>`0`.as('isBeingChecked'))
        .where('entry_id', 'in', entryIds)
        .groupBy('relation'),
    );
}

interface SummaryOf {
  entryId: number;
  since: Milliseconds;
}

const recentOfEntry = (db: Connection, given: Given<SummaryOf>) =>
  recentReviews(db, [given('entryId')], given('since'));

const queryCounts = prepareQuery((db, given: Given<SummaryOf>) =>
  composeSummary(db, [given('entryId')], recentOfEntry(db, given)),
);

const queryCountsOfRelation = prepareQuery((db, given: Given<SummaryOf & { relation: string }>) =>
  composeSummary(db, [given('entryId')], recentOfEntry(db, given).where('relation', '=', given('relation'))),
);

type CountRow = Awaited<ReturnType<typeof queryCounts>>[number];

/** The counts of an entry, or of several together. */
export interface EntryCounts {
  /** For each rating, from half a star on: of all reviews, and of those with each relation. */
  everyone: number[];
  byRelation: ReadonlyMap<string, number[]>;
  /** Since the time in the request, with its relation if there is one. */
  recent: Tally;
  /** Whether reviews of a burst wait for an admin's decision. */
  isBeingChecked: boolean;
}

/** @returns undefined when there is no such entry */
export async function findEntryCounts(
  db: Connection,
  entryId: number,
  since: Milliseconds,
  relation: string | undefined,
): Promise<EntryCounts | undefined> {
  const rows =
    relation === undefined
      ? await queryCounts(db, { entryId, since })
      : await queryCountsOfRelation(db, { entryId, since, relation });
  const all = rows.find((row) => row.relation === null);
  // The sums of no entry are null.
  return all?.half_stars_1 === null ? undefined : countsOf(rows);
}

/** The counts of all entries of a category at a school; all zero without any. */
export async function findCategoryCounts(
  db: Connection,
  { schoolId, kind }: { schoolId: number; kind: string },
  since: Milliseconds,
  relation: string | undefined,
): Promise<EntryCounts> {
  const entryIds = currentCounts(db).select('entry_id').where('school_id', '=', schoolId).where('kind', '=', kind);
  const recent = recentReviews(db, entryIds, sql.val(since));
  const ofRelation = relation === undefined ? recent : recent.where('relation', '=', relation);
  return countsOf(await composeSummary(db, entryIds, ofRelation).execute());
}

function countsOf(rows: readonly CountRow[]): EntryCounts {
  const listOf = (row: CountRow | undefined) => COLUMNS.map((column) => row?.[column] ?? 0);
  const all = rows.find((row) => row.relation === null);
  const related = rows.flatMap((row) => (row.relation === null ? [] : [[row.relation, listOf(row)] as const]));
  return {
    everyone: listOf(all),
    byRelation: new Map(related),
    recent: { reviewCount: all?.recentCount ?? 0, halfStarSum: all?.recentSum ?? 0 },
    isBeingChecked: all?.isBeingChecked === 1,
  };
}
