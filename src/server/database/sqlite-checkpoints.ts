import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { createMapping } from './sqlite-mapping.ts';

/** How many pages the log may hold before they are copied: a page that many posts change is copied only once. */
const COPY_FROM_PAGES = 4_000;
/** When the log holds this many pages, copied or not, writes wait until the rest is copied. */
const RESTART_FROM_PAGES = 12_000;
/** The pause after a pass that copied nothing, because another process reads an old state or the disk is full. */
const TRY_AGAIN_AFTER_MS = 1_000;

/**
 * Runs checkpoints, which copy the write-ahead log into the database, in a thread of its own, because SQLite would run
 * one in the commit that makes the log long: 4,000 pages blocked the event loop for 35 to 60 ms. SQLite restarts the log
 * only when all of it is copied, which it never is while writes go on: where they never pause, they wait during one
 * pass. The thread is started when it is first needed.
 */
export function createCheckpoints(raw: DatabaseSync, path: string, endSnapshots: () => void) {
  const statement = raw.prepare('PRAGMA wal_checkpoint(NOOP)');
  const extendMapping = createMapping(raw, path);
  let thread: Worker | undefined;
  /** How many pages were copied when the pass in flight began; undefined while there is none. */
  let copiedBefore: number | undefined;
  /** Resolved after a pass for which writes wait. */
  let pause: PromiseWithResolvers<void> | undefined;
  let tryAgainAt = 0;

  /** How many pages of the log are still to be copied, and how many are copied already. Both 0 during a transaction. */
  function readLength(): { pages: number; copied: number } {
    endSnapshots();
    const { log = 0, checkpointed = 0 } = (raw.isTransaction ? undefined : statement.get()) ?? {};
    return { pages: Number(log) - Number(checkpointed), copied: Number(checkpointed) };
  }

  function startThread(): Worker {
    const started = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), {
      workerData: path,
      // It allocates hardly anything; by default its heap could grow as large as the server's.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
    });
    started.on('message', endPass);
    // A failure in the thread, such as a full disk, occurs here too when the connection copies the log itself, at six
    // times `COPY_FROM_PAGES` (`connectSqlite`).
    started.on('error', () => {});
    started.on('exit', () => {
      thread = undefined;
      stop(TRY_AGAIN_AFTER_MS);
    });
    return started;
  }

  function beginPass(copied: number): void {
    copiedBefore = copied;
    thread ??= startThread();
    // Keeps the process alive while a write waits.
    thread.ref();
    thread.postMessage(undefined);
  }

  function stop(pauseMs: number): void {
    copiedBefore = undefined;
    thread?.unref();
    tryAgainAt = performance.now() + pauseMs;
    pause?.resolve();
    pause = undefined;
  }

  function endPass(): void {
    const { pages, copied } = readLength();
    extendMapping();
    const copiedNothing = copied === copiedBefore && pages >= COPY_FROM_PAGES;
    if (pause || copiedNothing || pages + copied < RESTART_FROM_PAGES) stop(copiedNothing ? TRY_AGAIN_AFTER_MS : 0);
    else {
      pause = Promise.withResolvers();
      beginPass(copied);
    }
  }

  return {
    /**
     * Starts a checkpoint when the log has become long. To be called before every transaction.
     * @returns a promise if the transaction has to wait
     */
    startIfDue(): Promise<void> | undefined {
      if (copiedBefore === undefined && performance.now() >= tryAgainAt) {
        const { pages, copied } = readLength();
        if (pages >= COPY_FROM_PAGES) beginPass(copied);
      }
      return pause?.promise;
    },
    async close(): Promise<void> {
      // Without this, the end of a last pass would unref the thread, and the process could end before the thread has
      // ended.
      thread?.off('message', endPass);
      await thread?.terminate();
    },
  };
}
