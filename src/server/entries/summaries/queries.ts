import { sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import type { HalfStarColumn } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { isBeingChecked } from '../../visibility/checked-queries.ts';
import { COLUMNS, currentCounts, type Tally } from '../../visibility/count-queries.ts';
import { visibleReviewsOf } from '../../visibility/queries.ts';

/** The number and the sum of an entry's visible reviews since a time. */
function recentReviews(db: Connection, given: Given<{ entryId: number; since: Milliseconds }>) {
  return visibleReviewsOf(db, given('entryId'))
    .select((select) => [
      select.fn.countAll<number>().as('recentCount'),
      select.fn.coalesce(select.fn.sum<number>('half_stars'), sql<number>`0`).as('recentSum'),
    ])
    .where('created_at', '>=', given('since'));
}

interface SummaryOf {
  entryId: number;
  since: Milliseconds;
}

/** One statement, so that all figures are consistent. */
function composeSummary(db: Connection, given: Given<SummaryOf>, recent: ReturnType<typeof recentReviews>) {
  return currentCounts(db)
    .innerJoin(recent.as('recent'), (join) => join.onTrue())
    .select([sql<string | null>`null`.as('relation'), ...COLUMNS, 'recentCount', 'recentSum'])
    .select(isBeingChecked(db, given('entryId')).as('isBeingChecked'))
    .where('entry_id', '=', given('entryId'))
    .unionAll(
      db
        .selectFrom('relation_counts')
        .select(['relation', ...COLUMNS, sql<number>`0`.as('recentCount'), sql<number>`0`.as('recentSum')])
        .select(sql<number>`0`.as('isBeingChecked'))
        .where('entry_id', '=', given('entryId')),
    );
}

const queryCounts = prepareQuery((db, given: Given<SummaryOf>) => composeSummary(db, given, recentReviews(db, given)));

const queryCountsOfRelation = prepareQuery((db, given: Given<SummaryOf & { relation: string }>) =>
  composeSummary(db, given, recentReviews(db, given).where('relation', '=', given('relation'))),
);

/** The counts of an entry. */
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
  const entry = rows.find((row) => row.relation === null);
  if (!entry) return undefined;
  const countsOf = (row: Readonly<Record<HalfStarColumn, number>>) => COLUMNS.map((column) => row[column]);
  const related = rows.flatMap((row) => (row.relation === null ? [] : [[row.relation, countsOf(row)] as const]));
  return {
    everyone: countsOf(entry),
    byRelation: new Map(related),
    recent: { reviewCount: entry.recentCount, halfStarSum: entry.recentSum },
    isBeingChecked: entry.isBeingChecked === 1,
  };
}
