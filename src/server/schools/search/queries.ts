import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { selectPage } from '../../database/paging.ts';
import { isBeingChecked } from '../../visibility/checked-queries.ts';
import { countsOfSchools, entryOfCounts } from '../../visibility/count-queries.ts';
import { currentSchools } from '../../visibility/queries.ts';

/** The columns of a school that the search needs, without its reviews. */
export type SchoolRow = Awaited<ReturnType<typeof findSchools>>[number];

const COLUMNS = ['id', 'school_name as schoolName', 'name_key as nameKey', 'location', 'aliases'] as const;

/** Schools sorted by name. @param after the last school of the previous batch */
export function listInOrder(
  db: Connection,
  limit: number,
  after: Pick<SchoolRow, 'id' | 'nameKey'> | undefined,
): Promise<SchoolRow[]> {
  const position = { limit, after: after && ([after.nameKey, after.id] as const) };
  return selectPage(
    currentSchools(db).select(COLUMNS),
    { by: ['name_key', 'id'], direction: 'asc' },
    position,
  ).execute();
}

export function findSchools(db: Connection, ids: readonly number[]) {
  return currentSchools(db).select(COLUMNS).where('id', 'in', ids).execute();
}

/** The next ids after `id`, ascending. */
export async function listIdsAbove(db: Connection, id: number, limit: number): Promise<number[]> {
  return idsOf(await currentSchools(db).select('id').where('id', '>', id).orderBy('id').limit(limit).execute());
}

/** The tally of all reviews of some schools. A school without reviews has no row. */
export function tallySchools(db: Connection, schoolIds: readonly number[]) {
  return countsOfSchools(db, schoolIds)
    .select((select) => [
      'review_counts.school_id as schoolId',
      select.fn.sum<number>('review_count').as('reviewCount'),
      select.fn.sum<number>('half_star_sum').as('halfStarSum'),
      select.fn.max<number>(isBeingChecked(db, entryOfCounts)).as('isBeingChecked'),
    ])
    .where('review_count', '>', 0)
    .groupBy('review_counts.school_id')
    .execute();
}
