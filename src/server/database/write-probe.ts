import { statfs } from 'node:fs/promises';
import type { Database } from './database.ts';
import { isBusy, isUnavailable, UnavailableDatabase } from './failures.ts';

/**
 * The free space from which a disk that was full counts as usable again. With less, a larger write would fail at once.
 */
const FREE_SPACE_MIN = 1024 * 1024;

/** @throws {UnavailableDatabase} when less than 1 MiB is free on the folder's disk */
export async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < FREE_SPACE_MIN) throw new UnavailableDatabase('DiskFull', 'The disk is full.');
}

/**
 * Finds out whether a database accepts writes again after a failure. A lock is no failure, because it ends without
 * help.
 */
export function createWriteProbe(write: Database['write'], requireRoomForMore: () => Promise<void> = async () => {}) {
  let hasFailed = false;
  return {
    /** Call it with the error of each failed write. */
    recordFailure(error: unknown): void {
      if (isUnavailable(error) && !isBusy(error)) hasFailed = true;
    },
    /** Tries a write if one has failed since the last success. @throws when it fails */
    async check(): Promise<void> {
      if (!hasFailed) return;
      await requireRoomForMore();
      const key = 'write-probe';
      await write((db) =>
        db
          .insertInto('throttles')
          .values({ key, count: 0, ends_at: 0 })
          .onConflict((conflict) =>
            conflict.column('key').doUpdateSet((row) => ({ count: row('throttles.count', '+', 1) })),
          )
          .execute(),
      );
      hasFailed = false;
    },
  };
}
