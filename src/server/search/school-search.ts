import { setImmediate } from 'node:timers/promises';
import { foldAccents } from '../../contract/folding.ts';
import { type FoundSchool, MATCHES, type Match, type SchoolSearch } from '../../contract/search.ts';
import { schoolOf, tags } from '../cache/tags.ts';
import type { Database, TagListener } from '../database/database.ts';
import { countSchools } from '../deletions/queries.ts';
import { meanOf } from '../review-counts/queries.ts';
import { findClosest } from './closest-names.ts';
import * as queries from './queries.ts';
import { createSchoolTerms, findAlias, type IndexedSchool } from './school-terms.ts';

/** How many schools are read in one batch. Other requests are served between two batches. */
const BATCH = 200;
/** With more changed schools than this, reading all in order is faster than reading single ones. */
const CHANGED_MAX = 2_000;
/** The maximum age of the index while changes of other processes do not arrive. */
const AGE_MAX_MS = 1_000;

interface SearchRequest {
  /** The folded text. Undefined: all schools. */
  readonly text: string | undefined;
  readonly country: string | undefined;
  readonly minRating: number | undefined;
  readonly limit: number;
  /** The number of results before this page. */
  readonly offset: number;
}

export interface SchoolSearchIndex {
  search(request: SearchRequest): Promise<SchoolSearch>;
  /** The schools with the closest names. Among equally close ones, those of the country come first. */
  findClosest(name: string, country: string): Promise<{ id: number; name: string }[]>;
  markChanged: TagListener;
  /** Marks every school as changed, because it is unknown which ones were. */
  markAllChanged(): void;
}

function describe(school: IndexedSchool, text: string | undefined, match: Match): FoundSchool {
  const { id, schoolName, location, reviewCount } = school;
  const averageRating = reviewCount === 0 ? null : meanOf(school);
  const facts = { id, schoolName, location, averageRating, totalReviews: reviewCount };
  if (text === undefined) return facts;
  const alias = findAlias(school, text, match);
  return { ...facts, match, ...(alias !== undefined && { alias }) };
}

/** Only the schools of the page are read, even if thousands are found. */
function pageOf(found: Record<Match, IndexedSchool[]>, offset: number, limit: number) {
  const page: { school: IndexedSchool; match: Match }[] = [];
  let before = offset;
  for (const match of MATCHES) {
    const schools = found[match].slice(before, before + limit - page.length);
    for (const school of schools) page.push({ school, match });
    before = Math.max(0, before - found[match].length);
  }
  return page;
}

/**
 * The names, aliases, countries and ratings of all schools in memory. They are read for the first search. After
 * changes, the changed schools are read again before the next search is answered. See
 * docs/decisions/018-school-search.md.
 * @param isSubscribed whether changes of other processes arrive
 */
export function createSchoolSearch(database: Database, isSubscribed: () => boolean): SchoolSearchIndex {
  const terms = createSchoolTerms();
  const changed = new Set<number>();
  let mayHaveMore = false;
  let isAllChanged = true;
  let allReadAt = 0;
  let lastId = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function take(rows: readonly queries.SchoolRow[]): Promise<void> {
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const tallies = await queries.tallySchools(database.readShared(), ids);
    const byId = new Map(tallies.map((tally) => [tally.schoolId, tally]));
    for (const row of rows) {
      const { reviewCount = 0, halfStarSum = 0 } = byId.get(row.id) ?? {};
      Object.assign(terms.put(row), { reviewCount, halfStarSum });
      lastId = Math.max(lastId, row.id);
    }
  }

  async function readAll(): Promise<void> {
    isAllChanged = false;
    mayHaveMore = false;
    changed.clear();
    allReadAt = performance.now();
    const seen = new Set<number>();
    let rows: queries.SchoolRow[];
    let after: queries.SchoolRow | undefined;
    do {
      rows = await queries.listInOrder(database.readShared(), BATCH, after);
      await take(rows);
      for (const { id } of rows) seen.add(id);
      after = rows.at(-1);
      await setImmediate();
    } while (rows.length === BATCH);
    for (const id of terms.ids()) if (!seen.has(id)) terms.drop(id);
  }

  async function readSome(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = ids.slice(start, start + BATCH);
      const rows = await queries.findSchools(database.readShared(), batch);
      const there = new Set(rows.map(({ id }) => id));
      for (const id of batch) if (!there.has(id)) terms.drop(id);
      await take(rows);
      if (batch.length === BATCH) await setImmediate();
    }
  }

  async function readAdded(): Promise<void> {
    let ids: number[];
    do {
      ids = await queries.listIdsAbove(database.readShared(), lastId, BATCH);
      await readSome(ids);
    } while (ids.length === BATCH);
    // On PostgreSQL a lower id may be committed after a higher one.
    if ((await countSchools(database.readShared())) !== terms.size) await readAll();
  }

  async function readChanges(): Promise<void> {
    if (isAllChanged || (!isSubscribed() && performance.now() - allReadAt > AGE_MAX_MS)) await readAll();
    if (changed.size === 0 && !mayHaveMore) return;
    const ids = [...changed];
    changed.clear();
    const hasMore = mayHaveMore;
    mayHaveMore = false;
    await readSome(ids);
    if (hasMore) await readAdded();
  }

  async function refresh(): Promise<void> {
    try {
      await readChanges();
    } catch (error) {
      isAllChanged = true;
      throw error;
    }
  }

  /** One after another: each search uses the index as the previous refresh left it. */
  function whenCurrent<T>(find: () => T): Promise<T> {
    const found = last.then(refresh).then(find);
    last = found.catch(() => {});
    return found;
  }

  return {
    search: (request) => whenCurrent(() => findPage(request)),
    findClosest: (name, country) =>
      whenCurrent(() => findClosest(terms, name, country).map(({ id, schoolName }) => ({ id, name: schoolName }))),
    markChanged(given) {
      // All schools will be read anyway.
      if (isAllChanged) return;
      for (const tag of given) {
        const id = schoolOf(tag);
        if (id !== undefined) changed.add(id);
        if (tag === tags.schools) mayHaveMore = true;
      }
      if (changed.size > CHANGED_MAX) isAllChanged = true;
    },
    markAllChanged() {
      isAllChanged = true;
    },
  };

  function findPage({ text, country, minRating, limit, offset }: SearchRequest): SchoolSearch {
    const found: Record<Match, IndexedSchool[]> = { alias: [], prefix: [], word: [], typo: [] };
    const byCountry = new Map<string, { name: string; key: string; schools: number }>();
    const countryKey = country && foldAccents(country);
    const take = (school: IndexedSchool, match: Match) => {
      if (minRating !== undefined && (school.reviewCount === 0 || meanOf(school) < minRating)) return;
      const counted = byCountry.get(school.country) ?? { name: school.country, key: school.countryKey, schools: 0 };
      counted.schools += 1;
      byCountry.set(school.country, counted);
      if (countryKey === undefined || school.countryKey === countryKey) found[match].push(school);
    };
    if (text === undefined) for (const school of terms.all()) take(school, 'word');
    else terms.forEachMatch(text, take);
    return {
      total: MATCHES.reduce((sum, match) => sum + found[match].length, 0),
      schools: pageOf(found, offset, limit).map(({ school, match }) => describe(school, text, match)),
      countries: [...byCountry.values()]
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .map(({ name, schools }) => ({ country: name, schools })),
    };
  }
}
