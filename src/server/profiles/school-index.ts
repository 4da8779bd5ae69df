import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { CATEGORIES } from '../../contract/categories.ts';
import type { ProfileField } from '../../contract/profiles.ts';
import type { Tag } from '../database/change-tags.ts';
import type { Database } from '../database/database.ts';
import { createQueue, createRerun } from '../database/in-order.ts';
import { schoolOf } from '../http/cache/tags.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { listMostReviewed } from '../visibility/count-queries.ts';
import { readReviewTexts } from './indexed-reviews.ts';
import { countryWords } from './places.ts';
import type { Preference } from './preferences.ts';
import { listSchoolIds, readEntries, readSchoolCountAndLastId, readSchools } from './queries.ts';
import { createTextIndex } from './text-index.ts';
import { searchTexts, type TextQuery } from './text-search.ts';

/** How many schools are read in one batch while the index is built. Other requests are served between two batches. */
const BATCH_SIZE = 20;
/** How many changed schools are read again for one recommendation. The others are read for the next one. */
const REFRESHED_MAX = 300;
/** The schools that are read first: while the index is built, they are the most likely to be recommended. */
const READ_FIRST = 1_000;

/** The indexed texts of a school: its own fields, one for each category, and its reviews. */
const FIELDS = ['schoolName', 'aliases', 'location', 'description', 'reviews', ...CATEGORIES.map(({ kind }) => kind)];

/** How well schools match a profile: for each school and preference a share of the best match, from 0 to 1. */
export type Matches = Map<number, Partial<Record<MatchKey, number>>>;

/** A preference, or the words of a preferred location in names: "University of Cambridge" lies in the United Kingdom. */
export type MatchKey = ProfileField | 'placeName';

/** How many schools could be compared, of how many. Not all can while the index is built. */
export interface Extent {
  readonly compared: number;
  readonly all: number;
}

export type SchoolIndex = ReturnType<typeof createSchoolIndex>;

type Boosts = ReadonlyMap<number, number>;

const boostsBy = (boosts: Record<string, number>): Boosts =>
  new Map(Object.entries(boosts).map(([name, boost]) => [FIELDS.indexOf(name), boost]));

/** The fields that are searched for something unwanted. */
const REVIEWS_ALONE = boostsBy({ reviews: 1 });
const NAMES_ALONE = boostsBy({ schoolName: 1, aliases: 1 });

/**
 * The fields searched for a preference, with their weights. A location is compared with locations first, then with
 * names and descriptions if none matches.
 */
function boostsOf(preference: ProfileField): Boosts[] {
  if (preference === 'location')
    return [boostsBy({ location: 1 }), boostsBy({ schoolName: 1.5, aliases: 1.5, description: 1 })];
  const boosts: Record<string, number> = { schoolName: 2, aliases: 2, description: 1.5, reviews: 0.6 };
  for (const { kind, fulfils } of CATEGORIES) boosts[kind] = fulfils?.includes(preference) ? 3 : 0.4;
  return [boostsBy(boosts)];
}

type FieldQuery = TextQuery & { readonly matching: MatchKey; readonly isWanted: boolean };

/** The queries for what a preference wants, and for what it rules out. */
function queriesFor(preference: Preference): FieldQuery[] {
  const { field } = preference;
  const words = preference.wanted.map(({ word }) => word);
  const unwantedWords = preference.unwanted.map(({ word }) => word);
  const wanted: FieldQuery = { matching: field, isWanted: true, words, boosts: boostsOf(field) };
  const unwanted: FieldQuery = {
    ...wanted,
    isWanted: false,
    words: unwantedWords,
    boosts: [REVIEWS_ALONE],
    isExact: true,
  };
  if (field !== 'location') return [wanted, unwanted];
  const withCountries = [...new Set([...words, ...countryWords(preference)])];
  const inNames: FieldQuery = { ...wanted, matching: 'placeName', boosts: [NAMES_ALONE], isExact: true };
  return [{ ...wanted, words: withCountries }, inNames, unwanted];
}

type SchoolTexts = Readonly<Record<string, string>>;

async function readTexts(database: Database, ids: readonly number[]): Promise<Map<number, SchoolTexts>> {
  const db = database.read;
  const [schools, entries] = await Promise.all([readSchools(db, ids), readEntries(db, ids)]);
  // SQLite answers synchronously: other requests are served between two queries.
  await setImmediate();
  const reviews = await readReviewTexts(db, entries);
  await setImmediate();
  const bySchool = Map.groupBy(entries, ({ schoolId }) => schoolId);
  // Sorted by id, so that equally good matches are too.
  schools.sort((one, other) => one.id - other.id);
  return new Map(
    schools.map(({ id, aliases, ...own }) => {
      const byKind = Map.groupBy(bySchool.get(id) ?? [], ({ kind }) => kind);
      const texts = [...byKind].map(([kind, some]) => [
        kind,
        some.map(({ name, description }) => `${name} ${description}`).join(' '),
      ]);
      const others = { aliases: aliases.join('\n'), reviews: reviews.get(id) ?? '' };
      return [id, { ...own, ...others, ...Object.fromEntries(texts) }];
    }),
  );
}

/** Waits for something, but no longer than `milliseconds`. @throws its error if it fails within the time */
async function waitAtMost(milliseconds: number, awaited: Promise<unknown>): Promise<void> {
  // A failure after the timeout is ignored: the next caller starts again.
  awaited.catch(() => {});
  await Promise.race([awaited, setTimeout(milliseconds, undefined, { ref: false })]);
}

/**
 * An in-memory index of the texts of all schools, built after the start and updated after changes. See
 * docs/decisions/024-recommendation-index.md.
 */
export function createSchoolIndex(database: Database) {
  const index = createTextIndex(FIELDS.length);
  const changed = new Set<number>();
  /** A search and a change of the index never overlap, although a search lets other requests run. */
  const runExclusively = createQueue();
  /** Runs reads for the index outside of any request: they are for everyone, and count for no single request. */
  const outsideRequests = AsyncLocalStorage.snapshot();
  let indexed = { count: 0, lastId: 0 };
  let total = 0;
  let stopSignal: AbortSignal | undefined;

  async function indexSchools(ids: readonly number[], isInBackground: boolean): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const began = performance.now();
      const batch = ids.slice(start, start + BATCH_SIZE);
      const texts = await readTexts(database, batch);
      await runExclusively(() => {
        for (const id of batch) {
          const own = texts.get(id);
          const fields = own && FIELDS.map((field) => own[field]);
          if (fields) index.put(id, fields);
          else index.drop(id);
        }
      });
      // Half of the time is left to other work.
      if (isInBackground) await setTimeout(performance.now() - began, undefined, { ref: false });
      else await setImmediate();
      if (stopSignal?.aborted) return;
    }
  }

  /** Indexes the schools that were added, and drops those that are gone. */
  async function indexAdded(): Promise<void> {
    const current = await readSchoolCountAndLastId(database.read);
    if (current.count === indexed.count && current.lastId === indexed.lastId) return;
    const ids = new Set(await listSchoolIds(database.read));
    total = ids.size;
    await runExclusively(() => {
      for (const id of index.documents.keys()) if (!ids.has(id)) index.drop(id);
    });
    await setImmediate();
    const missing = [...ids].filter((id) => !index.documents.has(id));
    const isLong = missing.length > REFRESHED_MAX;
    const first = isLong ? new Set(await listMostReviewed(database.read, READ_FIRST)) : new Set<number>();
    await setImmediate();
    const [sooner, later] = [missing.filter((id) => first.has(id)), missing.filter((id) => !first.has(id))];
    await indexSchools([...sooner, ...later], isLong);
    indexed = current;
  }

  async function update(): Promise<void> {
    await indexAdded();
    const stale = [...changed].slice(0, REFRESHED_MAX);
    for (const id of stale) changed.delete(id);
    await indexSchools(stale, false);
  }

  const startUpdate = createRerun(() => outsideRequests(update));

  return {
    /** Compares all schools with what is wanted, and their reviews with what is not wanted. */
    async match(preferences: readonly Preference[]): Promise<{ matches: Matches; unwanted: Matches; extent: Extent }> {
      await waitAtMost(BOUNDS.indexWaitedFor.max, startUpdate());
      const filled = preferences.flatMap(queriesFor).filter(({ words }) => words.length > 0);
      const results = await runExclusively(() => searchTexts(index, filled));
      const [matches, unwanted]: [Matches, Matches] = [new Map(), new Map()];
      for (const [position, scores] of results.entries()) {
        const { matching, isWanted } = filled[position] as (typeof filled)[number];
        const found = isWanted ? matches : unwanted;
        const best = [...scores.values()].reduce((one, other) => Math.max(one, other), 0);
        for (const [id, score] of scores)
          found.set(id, Object.assign(found.get(id) ?? {}, { [matching]: score / best }));
      }
      const compared = index.documents.size;
      return { matches, unwanted, extent: { compared, all: Math.max(compared, total) } };
    },
    /** Reads all schools in the background, so that the first recommendation need not wait for it. */
    build(signal: AbortSignal): Promise<void> {
      stopSignal = signal;
      return startUpdate();
    },
    /** Marks the schools of some tags as changed: they are read again for the next recommendation. */
    markChanged(tags: ReadonlySet<Tag>): void {
      for (const tag of tags) {
        const id = schoolOf(tag);
        if (id !== undefined) changed.add(id);
      }
    },
    /** Marks every school as changed, because it is unknown which ones were. */
    markAllChanged(): void {
      for (const id of index.documents.keys()) changed.add(id);
    },
  };
}
