// The thread of migrateSqlite in open.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { NOBODY_LISTENS } from './database.ts';
import { MIGRATIONS, type MigrationListener, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

const database = openSqlite(workerData as string, NOBODY_LISTENS);
try {
  await migrate(database, MIGRATIONS, (...applied: Parameters<MigrationListener>) => parentPort?.postMessage(applied));
} finally {
  await database.close();
}
