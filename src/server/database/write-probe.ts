import { statfs } from 'node:fs/promises';
import type { Database } from './database.ts';
import { isBusy, isUnavailable, NoRoom } from './failures.ts';

/** Below this a disk that was full is not taken for usable again: the next bigger write would find it full. */
const ROOM_MIN = 1024 * 1024;

export interface WriteProbe {
  /** Hears why a write has failed. */
  noteFailure(error: unknown): void;
  /** Writes something if a write has failed since the last success. @throws when nothing can be written */
  check(): Promise<void>;
}

/** @throws {NoRoom} when a folder's disk is full but for a rest */
export async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM_MIN) throw new NoRoom();
}

/**
 * Finds out whether a database that has refused a write takes writes again. One that is only locked is not meant: that
 * passes by itself.
 */
export function createWriteProbe(
  write: Database['write'],
  requireRoomForMore: () => Promise<void> = async () => {},
): WriteProbe {
  let hasFailed = false;
  return {
    noteFailure(error) {
      if (isUnavailable(error) && !isBusy(error)) hasFailed = true;
    },
    async check() {
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
