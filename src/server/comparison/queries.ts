import { sql } from 'kysely';
import { CATEGORIES } from '../../contract/categories.ts';
import type { SchoolSummary } from '../../contract/comparison.ts';
import { COVERED_FROM } from '../../contract/scores.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { countsOfSchools, ratingOf, visibleReviews } from '../review-counts/queries.ts';

/** The counts of every entry of schools, with how many of its reviews were posted since a time. */
function readCounts(db: Connection, schoolIds: readonly number[], since: Milliseconds) {
  return countsOfSchools(db, schoolIds)
    .select(['school_id as schoolId', 'kind', 'review_count as reviewCount', 'half_star_sum as halfStarSum'])
    .select(
      visibleReviews(db)
        .select((select) => select.fn.countAll<number>().as('recent'))
        .where('reviews.entry_id', '=', sql.ref<number>('review_counts.entry_id'))
        .where('reviews.created_at', '>=', since)
        .as('recentCount'),
    )
    .execute();
}

type EntryCounts = Awaited<ReturnType<typeof readCounts>>[number];

function summarise(counts: readonly EntryCounts[]) {
  const categories = CATEGORIES.map(({ kind, label }) => {
    const own = counts.filter((entry) => entry.kind === kind);
    const { average, count } = ratingOf(own);
    const recentReviews = own.reduce((total, entry) => total + Number(entry.recentCount), 0);
    return {
      category: kind,
      label,
      entries: own.length,
      averageRating: count === 0 ? null : average,
      totalReviews: count,
      recentReviews,
      isCovered: recentReviews >= COVERED_FROM,
    };
  });
  return {
    totalReviews: ratingOf(counts).count,
    categories,
    coverage: { covered: categories.filter(({ isCovered }) => isCovered).length, of: categories.length },
  };
}

/**
 * What the reviews of schools say in each category; in any order, and without those that do not exist.
 * @param since from when on a review counts as recent
 */
export async function readSummaries(
  db: Connection,
  schoolIds: readonly number[],
  since: Milliseconds,
): Promise<SchoolSummary[]> {
  const schools = await db
    .selectFrom('schools')
    .select(['id', 'school_name as schoolName', 'location'])
    .where('id', 'in', schoolIds)
    .execute();
  const counts = Map.groupBy(await readCounts(db, schoolIds, since), ({ schoolId }) => schoolId);
  return schools.map((school) => ({ ...school, ...summarise(counts.get(school.id) ?? []) }));
}
