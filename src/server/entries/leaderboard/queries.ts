import type { Connection } from '../../database/database.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import { countedEntries, type Tally } from '../../visibility/count-queries.ts';

/** Of the reviews of a school in one category. */
export interface SchoolTally extends Tally {
  readonly schoolId: number;
  readonly schoolName: string;
  readonly nameKey: string;
}

function sumBySchool(counted: ReturnType<typeof countedEntries>) {
  return counted
    .select((select) => [
      'school_id',
      select.fn.sum<number>('half_star_sum').as('halfStarSum'),
      select.fn.sum<number>('review_count').as('reviewCount'),
    ])
    .groupBy('school_id');
}

function withSchools(db: Connection, sums: ReturnType<typeof sumBySchool>) {
  return db
    .selectFrom(sums.as('rated'))
    .innerJoin('schools', 'schools.id', 'rated.school_id')
    .select([
      'schools.school_name as schoolName',
      'schools.name_key as nameKey',
      'rated.halfStarSum',
      'rated.reviewCount',
      'rated.school_id as schoolId',
    ]);
}

/**
 * The tallies of all schools with counted reviews in a category. Summed before the join: SQLite stores the counts in the
 * order of schools, so that grouping needs no sorting. Names are compared where means are equal alone: to sort all schools
 * by name took PostgreSQL a third of the whole read.
 */
export const listTallies = prepareQuery((db, given: Given<{ kind: string }>) =>
  withSchools(db, sumBySchool(countedEntries(db).where('kind', '=', given('kind')))),
);

/** The same of some schools. */
export function findTallies(db: Connection, kind: string, ids: readonly number[]): Promise<SchoolTally[]> {
  const counted = countedEntries(db).where('kind', '=', kind).where('review_counts.school_id', 'in', ids);
  return withSchools(db, sumBySchool(counted)).execute();
}
