import { type SelectQueryBuilder, sql } from 'kysely';
import { type Connection, isPostgres } from './database.ts';
import type { Tables } from './tables.ts';

// SQLite has one writer, so it needs no locks.

interface LockOptions {
  /**
   * `noKeyUpdate` lets others add rows that refer to the locked ones. `keyShare` also lets others lock the same rows in
   * this way, while nobody can delete, move or merge them. See
   * https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS.
   */
  readonly strength?: 'update' | 'noKeyUpdate' | 'keyShare';
  /** Whether rows that others have locked are skipped. Otherwise the query waits, and then checks the rows again. */
  readonly skip?: boolean;
}

/** Makes a query lock the rows it finds until the transaction ends, so that no other transaction changes them. */
export function locking<From extends keyof Tables, Row>(
  db: Connection,
  query: SelectQueryBuilder<Tables, From, Row>,
  { strength = 'update', skip = false }: LockOptions = {},
): SelectQueryBuilder<Tables, From, Row> {
  if (!isPostgres(db)) return query;
  const locked = {
    update: () => query.forUpdate(),
    noKeyUpdate: () => query.forNoKeyUpdate(),
    keyShare: () => query.forKeyShare(),
  }[strength]();
  return skip ? locked.skipLocked() : locked;
}

/** Makes other transactions that lock the same name wait until this one ends. For names that have no row yet. */
export async function lockName(db: Connection, name: string): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db);
}

/** Locks a name in the same way, unless another transaction has locked it. @returns whether it is locked now */
export async function tryLockName(db: Connection, name: string): Promise<boolean> {
  if (!isPostgres(db)) return true;
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${name})) as "isLocked"`.execute(db);
  return rows[0]?.isLocked === true;
}

/**
 * Makes the calls of a user that take this lock wait for each other. Others can still add rows that refer to the user: a
 * merge, which checks the authors of reviews after it has locked the schools, would otherwise deadlock with these calls.
 */
export async function lockCallsOf(db: Connection, userId: number): Promise<void> {
  const user = db.selectFrom('users').select('id').where('id', '=', userId);
  if (isPostgres(db)) await locking(db, user, { strength: 'noKeyUpdate' }).execute();
}

/** Locks a row until the transaction ends, so that no other transaction changes it or adds rows that refer to it. */
export async function lockRow(db: Connection, table: 'schools' | 'users', id: number): Promise<void> {
  if (isPostgres(db)) await locking(db, db.selectFrom(table).select('id').where('id', '=', id)).execute();
}
