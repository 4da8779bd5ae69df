import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createCheckpoints } from '../../src/server/database/sqlite-checkpoints.ts';

test('does not start another thread at once when one fails', async () => {
  let looks = 0;
  const statement = {
    get() {
      looks += 1;
      return { log: 5_000, checkpointed: 0 };
    },
  };
  // A connection to a long log, in a folder that SQLite cannot open as a database.
  const connection = { isTransaction: false, prepare: () => statement } as unknown as DatabaseSync;
  const checkpoints = createCheckpoints(connection, tmpdir(), () => {});
  const started = once(process, 'worker');
  void checkpoints.startIfDue();
  const [thread] = (await started) as [Worker];
  // Not `once`, which rejects for the error event before the exit.
  await new Promise((resolve) => thread.on('exit', resolve));
  void checkpoints.startIfDue();
  expect(looks).toBe(1);
  await checkpoints.close();
});

test('a process that closes the database as a checkpoint ends waits for the thread', () => {
  const program = new URL('../support/end-during-checkpoint.ts', import.meta.url).pathname;
  // Node ends with 13 when something is still awaited that nothing will resolve.
  expect(spawnSync(process.execPath, [program], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
}, 30_000);
