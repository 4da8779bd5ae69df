import type { Tag } from '../../database/change-tags.ts';
import type { Connection } from '../../database/database.ts';
import { createChangedSchools } from '../../http/cache/changed-schools.ts';
import { leaderboardTags } from '../../http/cache/tags.ts';
import { findTallies, listTallies, type SchoolTally } from './queries.ts';

/** A cache of the tallies of each category. */
export type TallyCache = ReturnType<typeof createTallyCache>;

/**
 * Reads only the tallies of changed schools again: to sum up a whole category would take most of the time of the first
 * leaderboard after a post. See docs/decisions/061-cached-tallies.md.
 * @param isEnabled false while nothing may be cached: no cache is wanted, or changes of other processes do not arrive
 */
export function createTallyCache(isEnabled: () => boolean) {
  const categories = new Map<string, ReturnType<typeof createCategoryTallies>>();
  return {
    /**
     * The tallies of a category, in no order.
     * @param mayUseCache false when the database has changes that have not reached this process
     */
    async read(db: Connection, kind: string, mayUseCache: boolean): Promise<readonly SchoolTally[]> {
      if (!mayUseCache || !isEnabled()) return listTallies(db, { kind });
      const tallies = categories.get(kind) ?? createCategoryTallies(kind);
      categories.set(kind, tallies);
      return tallies.read(db);
    },
    markChanged(changed: ReadonlySet<Tag>): void {
      for (const tallies of categories.values())
        if (tallies.tags.some((tag) => changed.has(tag))) tallies.mark(changed);
    },
    markAllChanged: () => categories.clear(),
  };
}

function createCategoryTallies(kind: string) {
  const changed = createChangedSchools();
  const bySchool = new Map<number, SchoolTally>();
  let isReading = false;

  async function refresh(db: Connection): Promise<void> {
    const isWhole = changed.areAllMarked;
    if (isWhole) changed.clear();
    const { ids } = changed.takeMarked();
    if (!isWhole && ids.length === 0) return;
    const tallies = isWhole ? await listTallies(db, { kind }) : await findTallies(db, kind, ids);
    if (isWhole) bySchool.clear();
    for (const id of ids) bySchool.delete(id);
    for (const tally of tallies) bySchool.set(tally.schoolId, tally);
  }

  return {
    tags: leaderboardTags(kind),
    mark: changed.mark,
    async read(db: Connection): Promise<readonly SchoolTally[]> {
      // This read does not wait for the one in progress, whose database may not answer. Nor does it cache what it reads:
      // the older of two results could replace the newer one.
      if (isReading) return listTallies(db, { kind });
      isReading = true;
      try {
        await refresh(db);
        return [...bySchool.values()];
      } catch (error) {
        changed.markAll();
        throw error;
      } finally {
        isReading = false;
      }
    },
  };
}
