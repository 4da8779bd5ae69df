import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { retryWhileBusy } from './batches.ts';
import type { ChangeListener, Database } from './database.ts';
import { countApplied, MIGRATIONS, type MigrationListener, migrate } from './migrate.ts';
import { openPostgres, type PostgresAddress } from './postgres.ts';
import { type MigrationProgress, migratePostgres } from './postgres-migration.ts';
import { openSqlite } from './sqlite.ts';

/** A PostgreSQL address, or the path of the embedded database. */
export type DatabaseAddress = PostgresAddress | { readonly sqlite: string };

/**
 * Opens the database with the tables that it has. `migrateDatabase` or `requireSchema` must run before they are used.
 * @param listener of a process that caches; without it, changes by other processes are not subscribed to
 */
export async function connectDatabase(address: DatabaseAddress, listener?: ChangeListener): Promise<Database> {
  if ('postgres' in address) return openPostgres(address, listener);
  return retryWhileBusy(async () => openSqlite(address.sqlite, listener));
}

const NO_LISTENERS: MigrationProgress = { onApplied() {}, onWaiting() {} };

/**
 * Applies the migrations that an open database lacks.
 * @throws {UnusableDatabase} when only newer versions can use the database, or locks are held for minutes
 */
export async function migrateDatabase(
  address: DatabaseAddress,
  database: Database,
  progress: MigrationProgress = NO_LISTENERS,
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

/**
 * Applies the missing migrations to the embedded database. If there are rows to migrate, a thread of its own does it:
 * SQLite's statements block the thread that runs them, and this one answers health checks.
 * @throws when the database was made by a newer version; it is then left unchanged
 */
async function migrateSqlite(path: string, database: Database, onApplied: MigrationListener): Promise<void> {
  const applied = await countApplied(database.read);
  if (applied === 0 || applied >= MIGRATIONS.length) {
    return retryWhileBusy(() => database.write((db) => migrate(db, MIGRATIONS, onApplied)));
  }
  const worker = new Worker(new URL('./sqlite-migration-thread.ts', import.meta.url), { workerData: path });
  worker.on('message', ([name, seconds]: Parameters<MigrationListener>) => onApplied(name, seconds));
  // An error of the thread rejects this.
  await once(worker, 'exit');
}
