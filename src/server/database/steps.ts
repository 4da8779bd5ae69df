import { setImmediate } from 'node:timers/promises';

/**
 * Reads rows in steps by ascending id, between which other requests are served: a hundred thousand rows read at once
 * hold the event loop for 50 ms on SQLite.
 * @param read reads the next rows after an id, sorted by id; fewer rows than the limit are the last ones
 */
export async function* readInSteps<Row extends { readonly id: number }>(
  limit: number,
  read: (after: number, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await read(after, limit);
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = last.id;
    await setImmediate();
  }
}
