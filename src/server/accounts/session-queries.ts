import { sql } from 'kysely';
import { type Connection, isPostgres } from '../database/database.ts';
import { groupingLookUps } from '../database/groups.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds } from '../database/tables.ts';

export async function insertSession(db: Connection, id: string, userId: number, now: Milliseconds): Promise<void> {
  await db.insertInto('sessions').values({ id, user_id: userId, created_at: now, used_at: now }).execute();
}

/** Sessions with the current data of their users. */
const selectSessions = (db: Connection) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.created_at', 'sessions.used_at', 'users.username', 'users.is_admin'])
    .select('users.created_at as joinedAt');

const querySession = prepareQuery((db, param: Param<{ sessionId: string }>) =>
  selectSessions(db).where('sessions.id', '=', param('sessionId')),
);

const querySessions = prepareQuery((db, param: Param<{ ids: readonly string[] }>) =>
  selectSessions(db)
    .select('sessions.id')
    .where(sql<boolean>`sessions.id = any(${param('ids')})`),
);

const findSessionBatched = groupingLookUps(querySessions, ({ id }) => id);

/**
 * The session with the current data of its user. On PostgreSQL the lookups of concurrent requests share one statement.
 */
export async function findSession(db: Connection, sessionId: string) {
  if (isPostgres(db)) return findSessionBatched(db, sessionId);
  const [session] = await querySession(db, { sessionId });
  return session;
}

export async function touchSession(db: Connection, sessionId: string, now: Milliseconds): Promise<void> {
  await db.updateTable('sessions').set({ used_at: now }).where('id', '=', sessionId).execute();
}

export async function deleteSession(db: Connection, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Ends the oldest sessions of a user. @param keptMax how many stay */
export async function deleteOldestSessions(db: Connection, userId: number, keptMax: number): Promise<void> {
  // Sorted in memory: a user has few sessions, and no index orders them by age.
  const sessions = await db.selectFrom('sessions').select(['id', 'created_at']).where('user_id', '=', userId).execute();
  const surplus = sessions.sort((one, other) => other.created_at - one.created_at).slice(keptMax);
  for (const { id } of surplus) await deleteSession(db, id);
}

/** @param exceptId a session that stays */
export async function deleteSessions(db: Connection, userId: number, exceptId?: string): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId as string))
    .execute();
}
