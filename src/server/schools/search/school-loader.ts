import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { countSchools } from '../../visibility/queries.ts';
import type { NameIndex } from './name-index.ts';
import * as queries from './queries.ts';

/** How many schools are read in one batch. Other requests are served between two batches. */
const BATCH_SIZE = 200;

/** Reads schools from the database into the index, with their ratings. */
export function createSchoolLoader(database: Database, index: NameIndex) {
  let lastId = 0;

  async function indexRows(rows: readonly queries.SchoolRow[]): Promise<void> {
    if (rows.length === 0) return;
    const tallies = await queries.tallySchools(database.readShared(), idsOf(rows));
    const byId = new Map(tallies.map((tally) => [tally.schoolId, tally]));
    for (const row of rows) {
      const { reviewCount = 0, halfStarSum = 0, isBeingChecked = 0 } = byId.get(row.id) ?? {};
      Object.assign(index.put(row), { reviewCount, halfStarSum, isBeingChecked: isBeingChecked === 1 });
      lastId = Math.max(lastId, row.id);
    }
  }

  /** Reads some schools again; those that are no longer there are dropped. */
  async function readSome(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const batch = ids.slice(start, start + BATCH_SIZE);
      const rows = await queries.findSchools(database.readShared(), batch);
      const foundIds = new Set(idsOf(rows));
      for (const id of batch) if (!foundIds.has(id)) index.drop(id);
      await indexRows(rows);
      if (batch.length === BATCH_SIZE) await setImmediate();
    }
  }

  return {
    async readAll(): Promise<void> {
      const seen = new Set<number>();
      let rows: queries.SchoolRow[];
      let after: queries.SchoolRow | undefined;
      do {
        rows = await queries.listInOrder(database.readShared(), BATCH_SIZE, after);
        await indexRows(rows);
        for (const { id } of rows) seen.add(id);
        after = rows.at(-1);
        await setImmediate();
      } while (rows.length === BATCH_SIZE);
      for (const id of index.ids()) if (!seen.has(id)) index.drop(id);
    },
    readSome,
    /** Reads schools with higher ids than before. @returns whether all schools are in the index now */
    async readAdded(): Promise<boolean> {
      let ids: number[];
      do {
        ids = await queries.listIdsAbove(database.readShared(), lastId, BATCH_SIZE);
        await readSome(ids);
      } while (ids.length === BATCH_SIZE);
      // On PostgreSQL a lower id may be committed after a higher one.
      return (await countSchools(database.readShared())) === index.size;
    },
  };
}
