import type { Category } from '../../contract/categories.ts';
import type { Standing } from '../../contract/leaderboard.ts';
import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import { averageOf } from '../reviews/queries.ts';

// Summed before the join: the index has the schools in order, so that nothing needs sorting to be grouped.
const queryRatings = prepareQuery((db, given: Given<{ kind: string }>) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('entries')
        .select((select) => [
          'school_id',
          select.fn.sum<number>('rating_sum').as('ratingSum'),
          select.fn.sum<number>('rating_count').as('ratingCount'),
        ])
        .where('kind', '=', given('kind'))
        .where('rating_count', '>', 0)
        .groupBy('school_id')
        .as('rated'),
    )
    .innerJoin('schools', 'schools.id', 'rated.school_id')
    .select(['schools.school_name as schoolName', 'rated.ratingSum', 'rated.ratingCount'])
    .orderBy('schools.name_key')
    .orderBy('schools.id'),
);

/** Mean of all reviews of all of a school's entries of a category, highest first; schools without any left out. */
export async function listStandings(db: Connection, category: Category): Promise<Standing[]> {
  const rows = await queryRatings(db, { kind: category.kind });
  // By the exact quotient; the sort is stable, so schools of the same average stay by name.
  return rows
    .map(({ schoolName, ratingSum, ratingCount }) => ({ schoolName, averageRating: averageOf(ratingSum, ratingCount) }))
    .sort((one, other) => other.averageRating - one.averageRating);
}
