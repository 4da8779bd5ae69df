import { CATEGORIES } from '../../../contract/categories.ts';
import type { SchoolSummary } from '../../../contract/comparison.ts';
import { COVERED_FROM } from '../../../contract/scores.ts';
import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { isBeingChecked } from '../../visibility/checked-queries.ts';
import { countsOfSchools, entryOfCounts, HALF_STAR_COLUMNS, ratingOf } from '../../visibility/count-queries.ts';
import { currentSchools, visibleReviewsOf } from '../../visibility/queries.ts';

/** The counts of every entry of some schools, with the number of reviews posted since a time. */
function readCounts(db: Connection, schoolIds: readonly number[], since: Milliseconds) {
  return countsOfSchools(db, schoolIds)
    .select([
      'school_id as schoolId',
      'kind',
      'review_count as reviewCount',
      'half_star_sum as halfStarSum',
      ...HALF_STAR_COLUMNS,
    ])
    .select(
      visibleReviewsOf(db, entryOfCounts)
        .select((select) => select.fn.countAll<number>().as('recent'))
        .where('reviews.created_at', '>=', since)
        .as('recentCount'),
    )
    .select(isBeingChecked(db, entryOfCounts).as('isBeingChecked'))
    .execute();
}

type EntryFigures = Awaited<ReturnType<typeof readCounts>>[number];

function summarise(counts: readonly EntryFigures[]) {
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
      isBeingChecked: own.some((entry) => entry.isBeingChecked === 1),
    };
  });
  return {
    totalReviews: ratingOf(counts).count,
    categories,
    coverage: { covered: categories.filter(({ isCovered }) => isCovered).length, of: categories.length },
    isBeingChecked: categories.some((category) => category.isBeingChecked),
  };
}

/**
 * The summaries of schools by id, with the counts needed for a comparison. Ids of no school are absent.
 * @param schoolIds at least one
 * @param since the time from which a review counts as recent
 */
export async function readSummaries(db: Connection, schoolIds: readonly number[], since: Milliseconds) {
  const schools = await currentSchools(db)
    .select(['id', 'school_name as schoolName', 'location'])
    .where('id', 'in', schoolIds)
    .execute();
  const bySchool = Map.groupBy(await readCounts(db, schoolIds, since), ({ schoolId }) => schoolId);
  return new Map(
    schools.map((school) => {
      const counts = bySchool.get(school.id) ?? [];
      /** The number of its reviews in a category for each rating, from half a star on. */
      const countsOf = (kind: string) =>
        HALF_STAR_COLUMNS.map((column) =>
          counts.reduce((total, entry) => total + (entry.kind === kind ? entry[column] : 0), 0),
        );
      const summary: SchoolSummary = { ...school, ...summarise(counts) };
      return [school.id, { summary, countsOf }];
    }),
  );
}
