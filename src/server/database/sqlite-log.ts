import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { isFull, isSqliteError } from './failures.ts';
import { createCheckpoints } from './sqlite-checkpoints.ts';

/**
 * If the log cannot be emptied, the next try comes after this time at the earliest: each try copies a part of the log.
 */
const TRY_AGAIN_AFTER_MS = 1_000;

const MB = 1024 * 1024;
/** A smaller log is left alone. */
const LOG_MIN = MB / 2;
/** With more free space than this, the disk is checked only once a second: the log grows to some 50 MB. */
const AMPLE_SPACE = 256 * MB;
const LOOK_AGAIN_AFTER_MS = 1_000;

/**
 * Runs checkpoints of SQLite's write-ahead log, and truncates it where that is not enough.
 * @param path of the database
 */
export function createLogKeeper(raw: DatabaseSync, path: string, endSnapshots: () => void) {
  const checkpoints = createCheckpoints(raw, path, endSnapshots);
  const checkpoint = raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let isDue = false;
  /** The last try, if it has failed. */
  let failure: { at: number; lackedRoom: boolean } | undefined;
  let lookAgainAt = 0;

  const readLogSize = () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

  function readFreeSpace(): number {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  }

  /** Whether there would be room even if every page of the log were added to the file. */
  const hasRoom = () => readLogSize() <= readFreeSpace();

  function isTooLarge(): boolean {
    const now = performance.now();
    if (now < lookAgainAt) return false;
    const free = readFreeSpace();
    if (free > AMPLE_SPACE) lookAgainAt = now + LOOK_AGAIN_AFTER_MS;
    return free <= AMPLE_SPACE && readLogSize() > Math.max(free, LOG_MIN);
  }

  function mayTry(): boolean {
    if (raw.isTransaction) return false;
    if (!failure || performance.now() - failure.at > TRY_AGAIN_AFTER_MS) return true;
    return failure.lackedRoom && hasRoom();
  }

  /**
   * Empties the log, where deleted data would stay until other pages overwrite it. If another process reads or the disk
   * is full, `maintain` does it later.
   */
  function empty(): void {
    isDue = true;
    endSnapshots();
    if (!mayTry()) return;
    let lackedRoom = false;
    try {
      isDue = checkpoint.get()?.busy !== 0;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      lackedRoom = isFull(error);
    }
    failure = isDue ? { at: performance.now(), lackedRoom } : undefined;
  }

  return {
    empty,
    /**
     * Copies the log into the file when it has become long. Empties it if it is larger than the free space of its disk:
     * a log that has filled the disk cannot be copied any more. To be called before every transaction, and regularly.
     * @returns a promise if the transaction has to wait
     */
    maintain(): Promise<void> | undefined {
      if (!isDue && !isTooLarge()) return checkpoints.startIfDue();
      empty();
      return undefined;
    },
    close: checkpoints.close,
  };
}
