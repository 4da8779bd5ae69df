import { type SelectQueryBuilder, sql } from 'kysely';
import { type Connection, isPostgres } from './database.ts';
import type { Tables } from './tables.ts';

/** SQLite has one writer, so there is nothing to lock. */
const hasRowLocks = isPostgres;

/**
 * Makes a query lock the rows it finds until the transaction ends, so that no other transaction changes them.
 * @param skip skips rows that others have locked instead of waiting for them
 * @param allowsReferences allows others to add rows that refer to the locked ones
 */
export function locking<From extends keyof Tables, Row>(
  db: Connection,
  query: SelectQueryBuilder<Tables, From, Row>,
  { skip = false, allowsReferences = false } = {},
): SelectQueryBuilder<Tables, From, Row> {
  if (!hasRowLocks(db)) return query;
  const locked = allowsReferences ? query.forNoKeyUpdate() : query.forUpdate();
  return skip ? locked.skipLocked() : locked;
}

/** Makes other transactions that lock the same name wait until this one ends. For names that have no row yet. */
export async function lockName(db: Connection, name: string): Promise<void> {
  if (hasRowLocks(db)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(db);
}

/**
 * Makes a query lock the rows it finds in shared mode until the transaction ends: others may lock them in the same way,
 * but nobody can delete, move or merge them. After waiting for a lock, PostgreSQL checks the changed row against the
 * query again.
 * @param skip skips rows that others have locked instead of waiting for them
 */
export function lockingShared<From extends keyof Tables, Row>(
  db: Connection,
  query: SelectQueryBuilder<Tables, From, Row>,
  { skip = false } = {},
): SelectQueryBuilder<Tables, From, Row> {
  if (!hasRowLocks(db)) return query;
  const locked = query.forKeyShare();
  return skip ? locked.skipLocked() : locked;
}

/** Locks a row until the transaction ends, so that no other transaction changes it or adds rows that refer to it. */
export async function lockRow(db: Connection, table: 'schools' | 'users', id: number): Promise<void> {
  if (hasRowLocks(db)) await locking(db, db.selectFrom(table).select('id').where('id', '=', id)).execute();
}
