import type { SchoolSearch } from '../../../contract/search.ts';
import type { Tag } from '../../database/change-tags.ts';
import type { Database, TagListener } from '../../database/database.ts';
import { createQueue } from '../../database/in-order.ts';
import { schoolOf, tags } from '../../http/cache/tags.ts';
import { findClosest } from './closest-names.ts';
import { createSchoolLoader } from './school-loader.ts';
import { createSchoolTerms } from './school-terms.ts';
import { findPage, listFigures, type SearchRequest } from './search-page.ts';

/** With more changed schools than this, reading all in order is faster than reading single ones. */
const CHANGED_MAX = 2_000;
/** The maximum age of the index while changes of other processes do not arrive. */
const AGE_MAX_MS = 1_000;

export interface SchoolSearchIndex {
  /** Reads all schools, so that the first search need not wait for it. */
  prepare(): Promise<void>;
  search(request: SearchRequest): Promise<SchoolSearch>;
  /** How many schools there are, and the figures of those that have reviews. */
  readFigures(): Promise<{ schools: number; figures: ReturnType<typeof listFigures> }>;
  /** The schools with the closest names. Among equally close ones, those of the country come first. */
  findClosest(name: string, country: string): Promise<{ id: number; name: string }[]>;
  markChanged: TagListener;
  /** Marks every school as changed, because it is unknown which ones were. */
  markAllChanged(): void;
}

/**
 * The names, aliases, countries and ratings of all schools in memory. They are read after the start. After
 * changes, the changed schools are read again before the next search is answered. See
 * docs/decisions/018-school-search.md.
 * @param isSubscribed whether changes of other processes arrive
 */
export function createSchoolSearch(database: Database, isSubscribed: () => boolean): SchoolSearchIndex {
  const terms = createSchoolTerms();
  const loader = createSchoolLoader(database, terms);
  const changed = createChangedSchools();
  let allReadAt = 0;
  const inOrder = createQueue();

  async function readAll(): Promise<void> {
    changed.clear();
    allReadAt = performance.now();
    await loader.readAll();
  }

  async function readChanges(): Promise<void> {
    if (changed.isAll || (!isSubscribed() && performance.now() - allReadAt > AGE_MAX_MS)) await readAll();
    const { ids, mayHaveMore } = changed.take();
    await loader.readSome(ids);
    if (mayHaveMore && !(await loader.readAdded())) await readAll();
    await terms.prepare();
  }

  async function refresh(): Promise<void> {
    try {
      await readChanges();
    } catch (error) {
      changed.markAll();
      throw error;
    }
  }

  /** One after another: each search uses the index as the previous refresh left it. */
  function whenCurrent<T>(find: () => T): Promise<T> {
    return inOrder(async () => {
      await refresh();
      return find();
    });
  }

  return {
    prepare: () => whenCurrent(() => {}),
    search: (request) => whenCurrent(() => findPage(terms, request)),
    readFigures: () => whenCurrent(() => ({ schools: terms.size, figures: listFigures(terms.layout()) })),
    findClosest: (name, country) =>
      whenCurrent(() => findClosest(terms, name, country).map(({ id, schoolName }) => ({ id, name: schoolName }))),
    markChanged: changed.mark,
    markAllChanged: changed.markAll,
  };
}

/** The schools that have changed since they were read; all of them at first. */
function createChangedSchools() {
  const ids = new Set<number>();
  let mayHaveMore = false;
  let isAll = true;
  return {
    get isAll() {
      return isAll;
    },
    mark(given: ReadonlySet<Tag>): void {
      // All schools will be read anyway.
      if (isAll) return;
      for (const tag of given) {
        const id = schoolOf(tag);
        if (id !== undefined) ids.add(id);
        if (tag === tags.schools) mayHaveMore = true;
      }
      if (ids.size > CHANGED_MAX) isAll = true;
    },
    markAll(): void {
      isAll = true;
    },
    /** Removes all marks. Called before all schools are read, so that changes during the reading are marked anew. */
    clear(): void {
      ids.clear();
      mayHaveMore = false;
      isAll = false;
    },
    /** Takes out the single ones before they are read. */
    take(): { ids: readonly number[]; mayHaveMore: boolean } {
      const taken = { ids: [...ids], mayHaveMore };
      ids.clear();
      mayHaveMore = false;
      return taken;
    },
  };
}
