import { PostgresAdapter } from 'kysely';
import type { Connection } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Locks a row until the transaction ends, so that no other transaction changes it or adds rows that refer to it. SQLite
 * has one writer, so there is nothing to lock.
 */
export async function lockRow(db: Connection, table: keyof Tables & ('schools' | 'users'), id: number): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await db.selectFrom(table).select('id').where('id', '=', id).forUpdate().execute();
}
