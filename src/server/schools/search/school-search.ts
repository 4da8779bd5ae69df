import type { Database } from '../../database/database.ts';
import { createQueue } from '../../database/in-order.ts';
import { createChangedSchools } from '../../http/cache/changed-schools.ts';
import { findClosest } from './closest-names.ts';
import { createNameIndex } from './name-index.ts';
import { createSchoolLoader } from './school-loader.ts';
import { findPage, listFigures, type SearchRequest } from './search-page.ts';

/** The maximum age of the index while changes of other processes do not arrive. */
const AGE_MAX_MS = 1_000;

export type SchoolSearchIndex = ReturnType<typeof createSchoolSearch>;

/**
 * The names, aliases, countries and ratings of all schools in memory. They are read after the start. After
 * changes, the changed schools are read again before the next search is answered. See
 * docs/decisions/018-school-search.md.
 * @param isSubscribed whether changes of other processes arrive
 */
export function createSchoolSearch(database: Database, isSubscribed: () => boolean) {
  const index = createNameIndex();
  const loader = createSchoolLoader(database, index);
  const changed = createChangedSchools();
  let allReadAt = 0;
  const runExclusively = createQueue();

  async function readAll(): Promise<void> {
    changed.clear();
    allReadAt = performance.now();
    await loader.readAll();
  }

  async function refresh(): Promise<void> {
    try {
      if (changed.areAllMarked || (!isSubscribed() && performance.now() - allReadAt > AGE_MAX_MS)) await readAll();
      const { ids, mayHaveNew } = changed.takeMarked();
      await loader.readSome(ids);
      if (mayHaveNew && !(await loader.readAdded())) await readAll();
      await index.prepare();
    } catch (error) {
      changed.markAll();
      throw error;
    }
  }

  /** Searches run one after another: between a refresh and its search, nothing else changes the index. */
  function afterRefresh<T>(find: () => T): Promise<T> {
    return runExclusively(async () => {
      await refresh();
      return find();
    });
  }

  return {
    /** Reads all schools, so that the first search need not wait for it. */
    prepare: () => afterRefresh(() => {}),
    search: (request: SearchRequest) => afterRefresh(() => findPage(index, request)),
    /** How many schools there are, and the figures of those that have reviews. */
    readFigures: () => afterRefresh(() => ({ schools: index.size, figures: listFigures(index.layout()) })),
    /** The schools with the closest names. A name in the same country counts as somewhat closer. */
    findClosest: (name: string, country: string) =>
      afterRefresh(() => findClosest(index, name, country).map(({ id, schoolName }) => ({ id, name: schoolName }))),
    markChanged: changed.mark,
    /** Marks every school as changed, because it is unknown which ones were. */
    markAllChanged: changed.markAll,
  };
}
