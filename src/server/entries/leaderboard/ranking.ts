import type { Ranking, Standing } from '../../../contract/leaderboard.ts';
import { PRIOR_WEIGHT, weighRatings } from '../../../contract/scores.ts';
import { meanStars, toStars } from '../../../contract/stars.ts';
import { meanOf, type Tally } from '../../visibility/count-queries.ts';
import type { SchoolTally } from './queries.ts';

/** The reviews of a category by school, and those among them that are being checked. */
interface CategoryTally {
  readonly tallies: readonly SchoolTally[];
  readonly checked: ReadonlyMap<number, Tally>;
}

/** The rows made of tallies, the highest mean first, equal ones by the school's name. */
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

/** The schools by the mean of all their reviews in a category, highest first. Schools without reviews are left out. */
export function listStandings({ tallies, checked }: CategoryTally): Standing[] {
  // Ranked by the exact quotient.
  return rank(
    tallies,
    ({ averageRating }) => averageRating,
    ({ schoolId, schoolName, reviewCount, halfStarSum }) => ({
      schoolId,
      schoolName,
      averageRating: meanOf({ reviewCount, halfStarSum }),
      totalReviews: reviewCount,
      isBeingChecked: checked.has(schoolId),
    }),
  );
}

/**
 * The schools by their weighted means, highest first, then by name. Reviews that are being checked count neither for
 * their school nor in the mean of the category. A school without other reviews stands at that mean.
 */
export function rankSchools(kind: string, { tallies, checked }: CategoryTally): Ranking {
  let [count, halfStars] = [0, 0];
  for (const { reviewCount, halfStarSum } of tallies)
    [count, halfStars] = [count + reviewCount, halfStars + halfStarSum];
  for (const { reviewCount, halfStarSum } of checked.values()) {
    [count, halfStars] = [count - reviewCount, halfStars - halfStarSum];
  }
  if (count === 0) return { category: kind, priorMean: null, priorWeight: PRIOR_WEIGHT, rows: [] };
  const priorMean = meanStars(halfStars, count);
  // Fields are copied one by one: at 10,000 schools, spreading the objects took as long as the query.
  const toRow = ({ schoolId, schoolName, halfStarSum, reviewCount }: SchoolTally) => {
    const leftOut = checked.get(schoolId);
    return {
      schoolId,
      schoolName,
      averageRating: meanStars(halfStarSum, reviewCount),
      totalReviews: reviewCount,
      leftOut: leftOut?.reviewCount ?? 0,
      weightedRating: weighRatings(
        {
          count: reviewCount - (leftOut?.reviewCount ?? 0),
          sum: toStars(halfStarSum - (leftOut?.halfStarSum ?? 0)),
        },
        priorMean,
      ),
      isBeingChecked: leftOut !== undefined,
    };
  };
  return {
    category: kind,
    priorMean,
    priorWeight: PRIOR_WEIGHT,
    rows: rank(tallies, ({ weightedRating }) => weightedRating, toRow),
  };
}
