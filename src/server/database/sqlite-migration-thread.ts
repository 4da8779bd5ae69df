// The thread of migrateSqlite in open.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { retryWhileBusy } from './batches.ts';
import { MIGRATIONS, type MigrationListener, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

const database = openSqlite(workerData as string);
try {
  const onApplied = (...applied: Parameters<MigrationListener>) => parentPort?.postMessage(applied);
  await retryWhileBusy(() => database.write((db) => migrate(db, MIGRATIONS, onApplied)));
} finally {
  await database.close();
}
