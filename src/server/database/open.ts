import { type ChangeListener, type Database, NOBODY_LISTENS } from './database.ts';
import { openPostgres, type PostgresAddress } from './postgres.ts';
import { type MigrationProgress, migratePostgres } from './postgres-migration.ts';
import { openSqlite } from './sqlite.ts';
import { migrateSqlite } from './sqlite-migration.ts';

/** A PostgreSQL address, or the path of the embedded database. */
export type DatabaseAddress = PostgresAddress | { readonly sqlite: string };

/**
 * Opens the database with the tables that it has. `migrateDatabase` or `requireSchema` must run before they are used.
 * @param listener of a process that caches; without it, changes by other processes are not subscribed to
 */
export async function connectDatabase(address: DatabaseAddress, listener?: ChangeListener): Promise<Database> {
  return 'postgres' in address
    ? openPostgres(address, listener)
    : openSqlite(address.sqlite, listener ?? NOBODY_LISTENS);
}

const UNWATCHED: MigrationProgress = { onApplied() {}, onWaiting() {} };

/**
 * Applies the migrations that an open database lacks.
 * @throws {UnusableDatabase} when only newer versions can use the database, or locks are held for minutes
 */
export async function migrateDatabase(
  address: DatabaseAddress,
  database: Database,
  progress: MigrationProgress = UNWATCHED,
): Promise<void> {
  if ('postgres' in address) return migratePostgres(address.listen ?? address.postgres, progress);
  return migrateSqlite(address.sqlite, database, progress.onApplied);
}

/** Opens and migrates the database, for everything but the server. */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  const database = await connectDatabase(address);
  try {
    await migrateDatabase(address, database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
