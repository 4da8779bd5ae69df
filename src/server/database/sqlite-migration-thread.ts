// The thread of migrateSqlite in open.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { MIGRATIONS, type MigrationListener, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

const database = openSqlite(workerData as string);
try {
  await migrate(database, MIGRATIONS, (...applied: Parameters<MigrationListener>) => parentPort?.postMessage(applied));
} finally {
  await database.close();
}
