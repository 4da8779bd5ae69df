import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import { tallyBeingChecked } from '../../visibility/checked-queries.ts';
import { countedEntries } from '../../visibility/count-queries.ts';

/** The tally of a school's reviews in one category, and of those among them that are being checked. */
export type SchoolTally = Awaited<ReturnType<typeof listTallies>>[number];

/**
 * One statement, so that the sums of all reviews and of those being checked are of the same moment. It sums before it
 * joins: SQLite stores the counts in the order of schools, so that grouping needs no sorting.
 */
function tallySchools(db: Connection, kind: RawBuilder<string>, schoolIds?: readonly number[] | RawBuilder<number>[]) {
  const ids = schoolIds ?? [];
  const rated = countedEntries(db)
    .select((select) => [
      'school_id',
      select.fn.sum<number>('half_star_sum').as('half_star_sum'),
      select.fn.sum<number>('review_count').as('review_count'),
    ])
    .where('kind', '=', kind)
    .$if(schoolIds !== undefined, (counts) => counts.where('review_counts.school_id', 'in', ids))
    .groupBy('school_id');
  const checked = tallyBeingChecked(db, kind).$if(schoolIds !== undefined, (reviews) =>
    reviews.where('reviews.school_id', 'in', ids),
  );
  return db
    .selectFrom(rated.as('rated'))
    .innerJoin('schools', 'schools.id', 'rated.school_id')
    .leftJoin(checked.as('checked'), 'checked.school_id', 'rated.school_id')
    .select([
      'schools.school_name as schoolName',
      'schools.name_key as nameKey',
      'rated.half_star_sum as halfStarSum',
      'rated.review_count as reviewCount',
      'rated.school_id as schoolId',
      sql<number>`coalesce(checked.review_count, 0)`.as('checkedCount'),
      sql<number>`coalesce(checked.half_star_sum, 0)`.as('checkedSum'),
    ]);
}

/** The tallies of all schools with counted reviews in a category. */
export const listTallies = prepareQuery((db, param: Param<{ kind: string }>) => tallySchools(db, param('kind')));

const queryTally = prepareQuery((db, param: Param<{ kind: string; schoolId: number }>) =>
  tallySchools(db, param('kind'), [param('schoolId')]),
);

/**
 * The tallies of some schools. For one, the usual case, the statement is prepared: PostgreSQL takes longer to plan it
 * than to run it.
 */
export function findTallies(db: Connection, kind: string, schoolIds: readonly number[]): Promise<SchoolTally[]> {
  const [schoolId, ...others] = schoolIds;
  if (schoolId !== undefined && others.length === 0) return queryTally(db, { kind, schoolId });
  return tallySchools(db, sql.val(kind), schoolIds).execute();
}
