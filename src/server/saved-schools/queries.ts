import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';

/** The schools that a user has saved, the newest first. */
export async function listSavedIds(db: Connection, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('saved_schools')
    .select('school_id as schoolId')
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('school_id', 'desc')
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
