import type { Category } from '../../contract/categories.ts';
import type { Standing } from '../../contract/leaderboard.ts';
import type { Connection } from '../database/database.ts';
import { averageOf } from '../reviews/queries.ts';

/** Mean of all reviews of all of a school's entries of a category, highest first; schools without any left out. */
export async function listStandings(db: Connection, category: Category): Promise<Standing[]> {
  const rows = await db
    .selectFrom('entries')
    .innerJoin('schools', 'schools.id', 'entries.school_id')
    .select((select) => [
      'schools.school_name as schoolName',
      select.fn.sum<number>('entries.rating_sum').as('ratingSum'),
      select.fn.sum<number>('entries.rating_count').as('ratingCount'),
    ])
    .where('entries.kind', '=', category.kind)
    .where('entries.rating_count', '>', 0)
    .groupBy(['entries.school_id', 'schools.school_name', 'schools.name_key'])
    .orderBy('schools.name_key')
    .orderBy('entries.school_id')
    .execute();
  // By the exact quotient; the sort is stable, so schools of the same average stay by name.
  return rows
    .map(({ schoolName, ratingSum, ratingCount }) => ({ schoolName, averageRating: averageOf(ratingSum, ratingCount) }))
    .sort((one, other) => other.averageRating - one.averageRating);
}
