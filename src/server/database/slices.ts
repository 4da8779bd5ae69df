import { setTimeout } from 'node:timers/promises';
import type { Commit, Connection, Database } from './database.ts';
import { isBusy } from './failures.ts';

/** How long one slice keeps on writing: a server's write beside it hardly notices. */
const SLICE_MS = 30;

/** A waiting server looks for the lock every 5 ms, later when it is busy: a shorter pause could pass unseen. */
const PAUSE_MS = 20;

/** What is read ahead, so that the source is never waited for while the lock is held. */
const AHEAD = 32;

/** A command has more time than a request. */
const PATIENCE_MS = 30_000;

/** Does it again for as long as another process holds SQLite's write lock. @throws the busy error after 30 s */
export async function retryWhileBusy<T>(work: () => Promise<T>): Promise<T> {
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > patienceEnds) throw error;
    }
  }
}

/**
 * Writes a lot in transactions so short that others who write hardly notice.
 * @param source what to write, piece by piece; a piece is never split
 * @param write writes one piece; runs again from the start of its slice when another transaction won
 * @param onSlice hears after each commit what `write` answered for its pieces
 */
export async function writeInSlices<Piece, Result>(
  database: Database,
  source: Iterable<Piece> | AsyncIterable<Piece>,
  write: (db: Connection, piece: Piece, commit: Commit) => Promise<Result>,
  onSlice: (results: Result[]) => void = () => {},
): Promise<void> {
  const pieces = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let waiting: Piece[] = [];
  for (;;) {
    while (waiting.length < AHEAD) {
      const { done, value } = await pieces.next();
      if (done) break;
      waiting.push(value);
    }
    if (waiting.length === 0) return;
    const slice = waiting;
    const results = await retryWhileBusy(() =>
      database.write(async (db, commit) => {
        const ends = performance.now() + SLICE_MS;
        const written: Result[] = [];
        for (const piece of slice) {
          written.push(await write(db, piece, commit));
          if (performance.now() > ends) break;
        }
        return written;
      }),
    );
    waiting = waiting.slice(results.length);
    onSlice(results);
    // On PostgreSQL nobody waits for a lock on the whole database.
    if (database.engine === 'sqlite') await setTimeout(PAUSE_MS);
  }
}
