import type { Category } from '../../contract/categories.ts';
import type { Standing } from '../../contract/leaderboard.ts';
import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import { countedEntries, meanOf } from '../review-counts/queries.ts';

// Summed before the join: the table has the schools in order, so that nothing needs sorting to be grouped.
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
    .select(['schools.school_name as schoolName', 'rated.halfStarSum', 'rated.reviewCount'])
    .orderBy('schools.name_key')
    .orderBy('schools.id'),
);

/** Mean of all reviews of all of a school's entries of a category, highest first; schools without any left out. */
export async function listStandings(db: Connection, category: Category): Promise<Standing[]> {
  const rows = await queryTallies(db, { kind: category.kind });
  // By the exact quotient; the sort is stable, so schools of the same average stay by name.
  return rows
    .map(({ schoolName, ...tally }) => ({ schoolName, averageRating: meanOf(tally) }))
    .sort((one, other) => other.averageRating - one.averageRating);
}
