import type { Category } from '../../../contract/categories.ts';
import type { Ranking, Standing } from '../../../contract/leaderboard.ts';
import { PRIOR_WEIGHT, weighRatings } from '../../../contract/scores.ts';
import { meanStars, toStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import { tallyBeingChecked } from '../../visibility/checked-queries.ts';
import { countedEntries, meanOf } from '../../visibility/count-queries.ts';

// Summed before the join: the table stores the schools in order, so that grouping needs no sorting.
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
      'rated.halfStarSum',
      'rated.reviewCount',
      'rated.school_id as schoolId',
    ])
    .orderBy('schools.name_key')
    .orderBy('schools.id'),
);

/** The schools by the mean of all their reviews in a category, highest first. Schools without reviews are left out. */
export async function listStandings(db: Connection, category: Category): Promise<Standing[]> {
  const checked = await tallyBeingChecked(db, category.kind);
  const rows = await queryTallies(db, { kind: category.kind });
  // Sorted by the exact quotient. The sort is stable, so that schools with equal means stay sorted by name.
  return rows
    .map(({ schoolId, schoolName, ...tally }) => ({
      schoolId,
      schoolName,
      averageRating: meanOf(tally),
      totalReviews: tally.reviewCount,
      isBeingChecked: checked.has(schoolId),
    }))
    .sort((one, other) => other.averageRating - one.averageRating);
}

/**
 * The schools by their weighted means, highest first, then by name. Reviews that are being checked count neither for
 * their school nor in the mean of the category. A school without other reviews stands at that mean.
 */
export async function readRanking(db: Connection, kind: string): Promise<Ranking> {
  const checked = await tallyBeingChecked(db, kind);
  const rows = await queryTallies(db, { kind });
  let [count, halfStars] = [0, 0];
  for (const { reviewCount, halfStarSum } of rows) [count, halfStars] = [count + reviewCount, halfStars + halfStarSum];
  for (const { reviewCount, halfStarSum } of checked.values()) {
    [count, halfStars] = [count - reviewCount, halfStars - halfStarSum];
  }
  if (count === 0) return { category: kind, priorMean: null, priorWeight: PRIOR_WEIGHT, rows: [] };
  const priorMean = meanStars(halfStars, count);
  // Fields are copied one by one: at 10,000 schools, spreading the objects took as long as the query.
  const ranked = rows.map(({ schoolId, schoolName, halfStarSum, reviewCount }) => {
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
  });
  return {
    category: kind,
    priorMean,
    priorWeight: PRIOR_WEIGHT,
    rows: ranked.sort((one, other) => other.weightedRating - one.weightedRating),
  };
}
