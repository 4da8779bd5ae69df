import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { currentSchools } from '../../visibility/queries.ts';

/** The ids of the schools that a user has saved and that still exist, the one saved last first. */
export async function listSavedIds(db: Connection, userId: number): Promise<number[]> {
  const rows = await currentSchools(db)
    .innerJoin('saved_schools', 'saved_schools.school_id', 'schools.id')
    .select('saved_schools.school_id as schoolId')
    .where('saved_schools.user_id', '=', userId)
    .orderBy('saved_schools.saved_at', 'desc')
    .orderBy('saved_schools.school_id', 'desc')
    .execute();
  return rows.map(({ schoolId }) => schoolId);
}

/**
 * Saves a school for a user who has not saved it.
 * @throws a foreign key violation when the user or the school is gone
 */
export async function insertSaved(db: Connection, userId: number, schoolId: number, now: Milliseconds): Promise<void> {
  const last = await db
    .selectFrom('saved_schools')
    .select((select) => select.fn.max('saved_at').as('at'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  // Later than all others, even in the same millisecond or after the clock was set back.
  const savedAt = Math.max(now, (last?.at ?? 0) + 1);
  await db
    .insertInto('saved_schools')
    .values({ user_id: userId, school_id: schoolId, saved_at: savedAt })
    // A concurrent merge may have saved it for this user.
    .onConflict((conflict) => conflict.columns(['user_id', 'school_id']).doNothing())
    .execute();
}

export async function deleteSaved(db: Connection, userId: number, schoolId: number): Promise<void> {
  await db.deleteFrom('saved_schools').where('user_id', '=', userId).where('school_id', '=', schoolId).execute();
}
