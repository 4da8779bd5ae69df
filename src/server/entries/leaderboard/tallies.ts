import type { Connection, TagListener } from '../../database/database.ts';
import { createQueue } from '../../database/in-order.ts';
import { createChangedSchools } from '../../http/cache/changed-schools.ts';
import { findTallies, listTallies, type SchoolTally } from './queries.ts';

/** With more changed schools than this, summing up the whole category is faster than single ones. */
const CHANGED_MAX = 200;

/** What the schools have in each category: of every school with counted reviews their number and sum. */
export interface CategoryTallies {
  /**
   * Those of a category, in no order.
   * @param mayBeKept false when the database has changes of which this process has not heard
   */
  read(db: Connection, kind: string, mayBeKept: boolean): Promise<SchoolTally[]>;
  readonly markChanged: TagListener;
  markAllChanged(): void;
}

/**
 * Keeps the tallies in memory, and reads only those of changed schools again: to sum up a whole category took most of the
 * first leaderboard after a post.
 * @param areKept false while nothing may be kept: no cache is wanted, or changes of other processes do not arrive
 */
export function createCategoryTallies(areKept: () => boolean): CategoryTallies {
  const categories = new Map<string, ReturnType<typeof createTallies>>();
  return {
    read(db, kind, mayBeKept) {
      if (!mayBeKept || !areKept()) return listTallies(db, { kind });
      const tallies = categories.get(kind) ?? createTallies(kind);
      categories.set(kind, tallies);
      return tallies.read(db);
    },
    markChanged(tags) {
      for (const { changed } of categories.values()) changed.mark(tags);
    },
    markAllChanged() {
      for (const { changed } of categories.values()) changed.markAll();
    },
  };
}

function createTallies(kind: string) {
  const changed = createChangedSchools(CHANGED_MAX);
  const bySchool = new Map<number, SchoolTally>();
  // One after another: else an older reading could replace a newer one.
  const inOrder = createQueue();

  function put(tallies: readonly SchoolTally[]): void {
    for (const tally of tallies) bySchool.set(tally.schoolId, tally);
  }

  async function readAll(db: Connection): Promise<void> {
    changed.clear();
    const tallies = await listTallies(db, { kind });
    bySchool.clear();
    put(tallies);
  }

  async function readChanged(db: Connection): Promise<void> {
    const { ids } = changed.take();
    if (ids.length === 0) return;
    const tallies = await findTallies(db, kind, ids);
    for (const id of ids) bySchool.delete(id);
    put(tallies);
  }

  return {
    changed,
    read: (db: Connection) =>
      inOrder(async () => {
        try {
          await (changed.isAll ? readAll(db) : readChanged(db));
        } catch (error) {
          changed.markAll();
          throw error;
        }
        return [...bySchool.values()];
      }),
  };
}
