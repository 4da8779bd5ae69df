import { isSqliteError } from './failures.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** What cannot be done now is tried again after this time: on a full disk each try copies a part of the log. */
const TRY_AGAIN_AFTER_MS = 1_000;

/** Empties SQLite's write-ahead log when its normal rhythm is not good enough. */
interface LogKeeper {
  /**
   * Takes everything out of the log that was ever written to it: pages from before a deletion stay there until others
   * overwrite them. While another process reads, it is done later.
   */
  erase(): void;
  /** Gives the room that the log takes back to a disk that is full. */
  makeRoom(): void;
  /** Does what could not be done. Call it now and then. */
  tryAgain(): void;
}

export function createLogKeeper({ raw }: SqliteConnection): LogKeeper {
  const checkpoint = raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let triedAt = Number.NEGATIVE_INFINITY;
  let isToErase = false;

  /** @returns whether the log is empty now */
  function empty(): boolean {
    triedAt = performance.now();
    try {
      return checkpoint.get()?.busy === 0;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      return false;
    }
  }

  const mayTry = () => !raw.isTransaction && performance.now() - triedAt > TRY_AGAIN_AFTER_MS;

  return {
    erase() {
      isToErase = !empty();
    },
    makeRoom() {
      if (mayTry()) empty();
    },
    tryAgain() {
      if (isToErase && mayTry()) isToErase = !empty();
    },
  };
}
