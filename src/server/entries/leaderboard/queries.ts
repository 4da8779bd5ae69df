import type { Category } from '../../../contract/categories.ts';
import type { Ranking, Standing } from '../../../contract/leaderboard.ts';
import { PRIOR_WEIGHT, weighRatings } from '../../../contract/scores.ts';
import { meanStars, toStars } from '../../../contract/stars.ts';
import { type Connection, together } from '../../database/database.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import { tallyBeingChecked } from '../../visibility/checked-queries.ts';
import { countedEntries, meanOf } from '../../visibility/count-queries.ts';

// Summed before the join: SQLite stores the counts in the order of schools, so that grouping needs no sorting. Names are
// compared where means are equal alone: to sort all schools by name took PostgreSQL a third of the whole read.
const queryTallies = prepareQuery((db, given: Given<{ kind: string }>) =>
  db
    .selectFrom(
      countedEntries(db)
        .select((select) => [
          'school_id',
          select.fn.sum<number>('half_star_sum').as('halfStarSum'),
          select.fn.sum<number>('review_count').as('reviewCount'),
        ])
        .where('kind', '=', given('kind'))
        .groupBy('school_id')
        .as('rated'),
    )
    .innerJoin('schools', 'schools.id', 'rated.school_id')
    .select([
      'schools.school_name as schoolName',
      'schools.name_key as nameKey',
      'rated.halfStarSum',
      'rated.reviewCount',
      'rated.school_id as schoolId',
    ]),
);

type TallyRow = Awaited<ReturnType<typeof queryTallies>>[number];

/** The rows made of tallies, the highest mean first, equal ones by the school's name. */
function rank<Row>(
  tallies: readonly TallyRow[],
  meanOfRow: (row: Row) => number,
  toRow: (tally: TallyRow) => Row,
): Row[] {
  return tallies
    .map((tally) => {
      const row = toRow(tally);
      return { tally, row, mean: meanOfRow(row) };
    })
    .sort((one, other) => other.mean - one.mean || byName(one.tally, other.tally))
    .map(({ row }) => row);
}

function byName(one: TallyRow, other: TallyRow): number {
  if (one.nameKey === other.nameKey) return one.schoolId - other.schoolId;
  return one.nameKey < other.nameKey ? -1 : 1;
}

/** The schools by the mean of all their reviews in a category, highest first. Schools without reviews are left out. */
export async function listStandings(db: Connection, category: Category): Promise<Standing[]> {
  const [checked, tallies] = await together([
    tallyBeingChecked(db, category.kind),
    queryTallies(db, { kind: category.kind }),
  ]);
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
export async function readRanking(db: Connection, kind: string): Promise<Ranking> {
  const [checked, tallies] = await together([tallyBeingChecked(db, kind), queryTallies(db, { kind })]);
  let [count, halfStars] = [0, 0];
  for (const { reviewCount, halfStarSum } of tallies)
    [count, halfStars] = [count + reviewCount, halfStars + halfStarSum];
  for (const { reviewCount, halfStarSum } of checked.values()) {
    [count, halfStars] = [count - reviewCount, halfStars - halfStarSum];
  }
  if (count === 0) return { category: kind, priorMean: null, priorWeight: PRIOR_WEIGHT, rows: [] };
  const priorMean = meanStars(halfStars, count);
  // Fields are copied one by one: at 10,000 schools, spreading the objects took as long as the query.
  const toRow = ({ schoolId, schoolName, halfStarSum, reviewCount }: TallyRow) => {
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
