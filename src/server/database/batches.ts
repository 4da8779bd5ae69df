import { setTimeout } from 'node:timers/promises';
import type { Commit, Connection, Database } from './database.ts';
import { isBusy } from './failures.ts';

/** How long one transaction may hold the lock: short enough to delay a server's writes only a little. */
const TRANSACTION_MAX_MS = 30;

/**
 * The pause between two transactions. A server that waits tries the lock every 5 ms, less often when it is busy: it
 * could miss a shorter pause.
 */
const PAUSE_MS = 20;

/** How many items are read in advance, so that a transaction never waits for the source while it holds the lock. */
const READ_AHEAD = 32;

/** How long a command or a start retries: longer than a request does, because no visitor waits for them. */
const RETRY_FOR_MS = 30_000;

/** Retries while another process holds SQLite's write lock. @throws the busy error after 30 s */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await setTimeout(PAUSE_MS);
    }
  }
}

/**
 * Writes many items in short transactions that hardly delay other writers.
 * @param source the items to write; each is written within one transaction
 * @param write writes one item; after a conflict with another transaction it runs again, from the first item of the
 * transaction
 * @param onBatch is called after each commit with the results of `write` for the committed items
 */
export async function writeInBatches<Item, Result>(
  database: Database,
  source: Iterable<Item> | AsyncIterable<Item>,
  write: (db: Connection, item: Item, commit: Commit) => Promise<Result>,
  onBatch: (results: Result[]) => void = () => {},
): Promise<void> {
  const items = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let waiting: Item[] = [];
  for (;;) {
    while (waiting.length < READ_AHEAD) {
      const { done, value } = await items.next();
      if (done) break;
      waiting.push(value);
    }
    if (waiting.length === 0) return;
    const batch = waiting;
    const results = await retryWhileBusy(() =>
      database.write(async (db, commit) => {
        const deadline = performance.now() + TRANSACTION_MAX_MS;
        const written: Result[] = [];
        for (const item of batch) {
          written.push(await write(db, item, commit));
          if (performance.now() > deadline) break;
        }
        return written;
      }),
    );
    waiting = waiting.slice(results.length);
    onBatch(results);
    // PostgreSQL has no database-wide write lock, so no pause is needed.
    if (database.engine === 'sqlite') await setTimeout(PAUSE_MS);
  }
}
