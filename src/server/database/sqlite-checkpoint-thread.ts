// The thread of createCheckpoints.
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const raw = new DatabaseSync(workerData as string);
const checkpoint = raw.prepare('PRAGMA wal_checkpoint(PASSIVE)');
parentPort?.on('message', () => {
  checkpoint.get();
  parentPort?.postMessage(undefined);
});
