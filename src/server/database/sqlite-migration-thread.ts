// The thread of migrateSqlite.
import { parentPort, workerData } from 'node:worker_threads';
import { NOBODY_LISTENS } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import type { MigrationMessage, MigrationWork } from './sqlite-migration.ts';

const database = openSqlite((workerData as MigrationWork).path, NOBODY_LISTENS);
try {
  await migrate(database, MIGRATIONS, (...applied: MigrationMessage) => parentPort?.postMessage(applied));
} finally {
  await database.close();
}
