import { type RawBuilder, sql } from 'kysely';
import type { Relation } from '../../../contract/review-filters.ts';
import type { Connection } from '../../database/database.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import type { EntryKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { areBeingChecked, type EntriesOfSchool } from '../../visibility/checked-queries.ts';
import { currentCounts, HALF_STAR_COLUMNS, type Tally } from '../../visibility/count-queries.ts';
import { withSchoolOf } from '../../visibility/location-queries.ts';
import { shownReviews } from '../../visibility/queries.ts';

/** The number of the visible reviews of entries since a time, and the sum of their half-stars. */
function tallyRecentReviews(db: Connection, { ids, schoolId }: EntriesOfSchool, since: RawBuilder<Milliseconds>) {
  return shownReviews(db)
    .select((select) => [
      select.fn.countAll<number>().as('recentCount'),
      select.fn.coalesce(select.fn.sum<number>('half_stars'), sql<number>`0`).as('recentSum'),
    ])
    .where('reviews.entry_id', 'in', ids)
    .where('reviews.school_id', '=', schoolId)
    .where('created_at', '>=', since);
}

const sums = HALF_STAR_COLUMNS.map((column) => sql<number>`sum(${sql.ref(column)})`.as(column));

/** The data of a summary: the entries, their counts and their recent reviews. */
interface SummarySources {
  readonly entries: EntriesOfSchool;
  readonly counts: ReturnType<typeof currentCounts>;
  readonly recent: ReturnType<typeof tallyRecentReviews>;
}

/** A row for all reviews, and one for each relation. One statement, so that all figures are consistent. */
function composeSummary(db: Connection, { entries, counts, recent }: SummarySources) {
  const { ids, schoolId } = entries;
  const counted = counts.select(sums);
  return db
    .selectFrom(counted.as('counted'))
    .innerJoin(recent.as('recent'), (join) => join.onTrue())
    .select([sql<string | null>`null`.as('relation'), ...HALF_STAR_COLUMNS, 'recentCount', 'recentSum'])
    .select(areBeingChecked(db, entries).as('isBeingChecked'))
    .unionAll(
      db
        .selectFrom('relation_counts')
        .select(['relation', ...sums, sql<number>`0`.as('recentCount'), sql<number>`0`.as('recentSum')])
        .select(sql<number>`0`.as('isBeingChecked'))
        .where('entry_id', 'in', ids)
        .where('school_id', '=', schoolId)
        .groupBy('relation'),
    );
}

interface EntryPeriod extends EntryKey {
  since: Milliseconds;
}

function sourcesOfEntry(db: Connection, param: Param<EntryPeriod>): SummarySources {
  const entries = { ids: [param('id')], schoolId: param('schoolId') };
  const counts = currentCounts(db).where('entry_id', '=', param('id')).where('school_id', '=', param('schoolId'));
  return { entries, counts, recent: tallyRecentReviews(db, entries, param('since')) };
}

const queryCounts = prepareQuery((db, param: Param<EntryPeriod>) => composeSummary(db, sourcesOfEntry(db, param)));

const queryCountsOfRelation = prepareQuery((db, param: Param<EntryPeriod & { relation: Relation }>) => {
  const { recent, ...others } = sourcesOfEntry(db, param);
  return composeSummary(db, { ...others, recent: recent.where('relation', '=', param('relation')) });
});

type CountRow = Awaited<ReturnType<typeof queryCounts>>[number];

/** The counts of an entry, or of several together. */
export interface EntryCounts {
  /** The number of all reviews for each rating, from half a star on. `byRelation` has those of each relation. */
  everyone: number[];
  byRelation: ReadonlyMap<string, number[]>;
  /** The tally of recent reviews, limited to the relation in the request if it names one. */
  recent: Tally;
  /** Whether reviews of a burst wait for an admin's decision. */
  isBeingChecked: boolean;
}

/** @returns undefined when there is no such entry */
export function findEntryCounts(
  db: Connection,
  entryId: number,
  since: Milliseconds,
  relation: Relation | undefined,
): Promise<EntryCounts | undefined> {
  return withSchoolOf(db, 'entries', entryId, async (schoolId) => {
    const period = { id: entryId, schoolId, since };
    const rows = await (relation === undefined
      ? queryCounts(db, period)
      : queryCountsOfRelation(db, { ...period, relation }));
    const all = rows.find((row) => row.relation === null);
    // Without an entry the sums are null.
    return all?.half_stars_1 === null ? undefined : countsOf(rows);
  });
}

/** The counts of all entries of a category at a school together; all zero if there are none. */
export async function findCategoryCounts(
  db: Connection,
  { schoolId, kind }: { schoolId: number; kind: string },
  since: Milliseconds,
  relation: Relation | undefined,
): Promise<EntryCounts> {
  const counts = currentCounts(db).where('school_id', '=', schoolId).where('kind', '=', kind);
  const entries = { ids: counts.select('entry_id'), schoolId: sql.val(schoolId) };
  const recent = tallyRecentReviews(db, entries, sql.val(since));
  const ofRelation = relation === undefined ? recent : recent.where('relation', '=', relation);
  return countsOf(await composeSummary(db, { entries, counts, recent: ofRelation }).execute());
}

function countsOf(rows: readonly CountRow[]): EntryCounts {
  const listOf = (row: CountRow | undefined) => HALF_STAR_COLUMNS.map((column) => row?.[column] ?? 0);
  const all = rows.find((row) => row.relation === null);
  const related = rows.flatMap((row) => (row.relation === null ? [] : [[row.relation, listOf(row)] as const]));
  return {
    everyone: listOf(all),
    byRelation: new Map(related),
    recent: { reviewCount: all?.recentCount ?? 0, halfStarSum: all?.recentSum ?? 0 },
    isBeingChecked: all?.isBeingChecked === 1,
  };
}
