import type { Ranking, Standing } from '../../../contract/leaderboard.ts';
import { PRIOR_WEIGHT, weighRatings } from '../../../contract/scores.ts';
import { meanStars, toStars } from '../../../contract/stars.ts';
import type { SchoolTally } from './queries.ts';

/**
 * The rows made of tallies, those with the highest mean first, equal ones by the school's name. They are sorted here,
 * where only equal ones need their names compared: PostgreSQL would spend a third of the read on sorting by name.
 */
function rank<Row>(
  tallies: readonly SchoolTally[],
  meanOfRow: (row: Row) => number,
  toRow: (tally: SchoolTally) => Row,
): Row[] {
  return tallies
    .map((tally) => {
      const row = toRow(tally);
      return { tally, row, mean: meanOfRow(row) };
    })
    .sort((one, other) => other.mean - one.mean || byName(one.tally, other.tally))
    .map(({ row }) => row);
}

function byName(one: SchoolTally, other: SchoolTally): number {
  if (one.nameKey === other.nameKey) return one.schoolId - other.schoolId;
  return one.nameKey < other.nameKey ? -1 : 1;
}

/** The schools by the exact mean of their reviews in a category, highest first. Schools without any are left out. */
export function listStandings(tallies: readonly SchoolTally[]): Standing[] {
  return rank(
    tallies,
    ({ averageRating }) => averageRating,
    ({ schoolId, schoolName, reviewCount, halfStarSum, checkedCount }) => ({
      schoolId,
      schoolName,
      averageRating: meanStars(halfStarSum, reviewCount),
      totalReviews: reviewCount,
      isBeingChecked: checkedCount > 0,
    }),
  );
}

/**
 * The schools by their weighted means, highest first, then by name. Reviews that are being checked count neither for
 * their school nor in the mean of the category. A school without other reviews stands at that mean.
 */
export function rankSchools(kind: string, tallies: readonly SchoolTally[]): Ranking {
  let [count, halfStars] = [0, 0];
  for (const { reviewCount, halfStarSum, checkedCount, checkedSum } of tallies) {
    count += reviewCount - checkedCount;
    halfStars += halfStarSum - checkedSum;
  }
  if (count === 0) return { category: kind, priorMean: null, priorWeight: PRIOR_WEIGHT, rows: [] };
  const priorMean = meanStars(halfStars, count);
  // Fields are copied one by one: at 10,000 schools, spreading the objects takes as long as the query.
  const toRow = ({ schoolId, schoolName, halfStarSum, reviewCount, checkedCount, checkedSum }: SchoolTally) => ({
    schoolId,
    schoolName,
    averageRating: meanStars(halfStarSum, reviewCount),
    totalReviews: reviewCount,
    leftOut: checkedCount,
    weightedRating: weighRatings(
      { count: reviewCount - checkedCount, sum: toStars(halfStarSum - checkedSum) },
      priorMean,
    ),
    isBeingChecked: checkedCount > 0,
  });
  return {
    category: kind,
    priorMean,
    priorWeight: PRIOR_WEIGHT,
    rows: rank(tallies, ({ weightedRating }) => weightedRating, toRow),
  };
}
