import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from './database.ts';
import { countApplied, MIGRATIONS, type MigrationListener, migrate } from './migrate.ts';

/** What the thread that migrates is given, and what it tells of each migration. */
export interface MigrationWork {
  readonly path: string;
}
export type MigrationMessage = Parameters<MigrationListener>;

/**
 * Applies the missing migrations to the embedded database. Where there are rows to migrate, that is done in a thread of
 * its own: SQLite's statements block the thread that runs them, and this one answers health checks.
 * @throws when the database was made by a newer version; it is then left unchanged
 */
export async function migrateSqlite(path: string, database: Database, onApplied: MigrationListener): Promise<void> {
  const applied = await countApplied(database.read, 'sqlite');
  if (applied === 0 || applied >= MIGRATIONS.length) return migrate(database, MIGRATIONS, onApplied);
  const workerData: MigrationWork = { path };
  const worker = new Worker(new URL('./sqlite-migration-thread.ts', import.meta.url), { workerData });
  worker.on('message', ([name, seconds]: MigrationMessage) => onApplied(name, seconds));
  // An error of the thread rejects this.
  await once(worker, 'exit');
}
