import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { CATEGORIES } from '../../contract/categories.ts';
import { PROFILE_FIELDS, type Preferences, type ProfileField } from '../../contract/profiles.ts';
import { schoolOf } from '../cache/tags.ts';
import type { Database, TagListener } from '../database/database.ts';
import { readIndexedReviews } from './indexed-reviews.ts';
import { listSchoolIds, readEntries, readExtent, readSchools } from './queries.ts';
import { isPrefix, processTerm, wordsOf } from './words.ts';

/** How many schools are read in one batch while the index is built. Other requests are served between two batches. */
const BATCH_SIZE = 100;
/** How many changed schools are read again for one recommendation. The others are read for the next one. */
const REFRESHED_MAX = 300;

const KINDS = CATEGORIES.map((category) => category.kind);

/** The indexed texts of a school: its own fields, one field for each category, and its reviews. */
type SchoolText = { id: number } & Record<string, string | number>;

/** How well schools match a profile: for each school and preference a share of the best match, from 0 to 1. */
export type Matches = Map<number, Partial<Record<ProfileField, number>>>;

export interface SchoolIndex {
  match(preferences: Preferences): Promise<Matches>;
  /** Marks the schools of some tags as changed: they are read again for the next recommendation. */
  markChanged: TagListener;
  /** Marks every school as changed, because it is unknown which ones were. */
  markAllChanged(): void;
}

function createSearch() {
  return new MiniSearch<SchoolText>({
    fields: ['schoolName', 'location', 'description', 'reviews', ...KINDS],
    processTerm,
  });
}

/**
 * The fields searched for a preference, with their weights. A location is compared with locations first, then with
 * names.
 */
function boostsOf(preference: ProfileField): Record<string, number>[] {
  if (preference === 'location') return [{ location: 1 }, { schoolName: 1.5, description: 1 }];
  const boost: Record<string, number> = { schoolName: 0.8, description: 1.5, reviews: 0.6 };
  for (const { kind, fulfils } of CATEGORIES) boost[kind] = fulfils?.includes(preference) ? 3 : 0.4;
  return [boost];
}

/** Exact words first. Misspellings are tried only if those match nothing: "marine" would otherwise find San Marino. */
function searchPreference(search: MiniSearch<SchoolText>, preference: ProfileField, text: string) {
  for (const fuzzy of [0, 0.2]) {
    for (const boost of boostsOf(preference)) {
      const results = search.search(text, {
        fields: Object.keys(boost),
        boost,
        fuzzy,
        prefix: isPrefix,
      });
      if (results.length > 0) return results;
    }
  }
  return [];
}

async function readTexts(database: Database, ids: readonly number[]): Promise<SchoolText[]> {
  const db = database.read;
  const [schools, entries] = await Promise.all([readSchools(db, ids), readEntries(db, ids)]);
  // In the order of their ids: equally good matches stay in the order in which they were added.
  schools.sort((one, other) => one.id - other.id);
  const texts = new Map<number, SchoolText>(schools.map((school) => [school.id, { ...school, reviews: '' }]));
  for (const [schoolId, own] of Map.groupBy(entries, (entry) => entry.schoolId)) {
    const text = texts.get(schoolId);
    if (!text) continue;
    for (const { kind, name, description } of own) text[kind] = `${text[kind] ?? ''} ${name} ${description}`;
    const reviews = await readIndexedReviews(db, own);
    text.reviews = reviews.map(({ review, indexed }) => review.slice(0, indexed)).join(' ');
  }
  return [...texts.values()];
}

/** An in-memory text index of all schools, built for the first recommendation and updated after changes. */
export function createSchoolIndex(database: Database): SchoolIndex {
  const search = createSearch();
  const changed = new Set<number>();
  const indexed = new Set<number>();
  let seen = { count: 0, lastId: 0 };
  let refreshing: Promise<void> = Promise.resolve();

  function drop(id: number): void {
    if (indexed.delete(id)) search.discard(id);
  }

  async function take(ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += BATCH_SIZE) {
      const batch = ids.slice(start, start + BATCH_SIZE);
      const texts = await readTexts(database, batch);
      for (const id of batch) drop(id);
      search.addAll(texts);
      for (const { id } of texts) indexed.add(id);
      await setImmediate();
    }
  }

  async function refresh(): Promise<void> {
    const now = await readExtent(database.read);
    if (now.count !== seen.count || now.lastId !== seen.lastId) {
      const ids = new Set(await listSchoolIds(database.read));
      for (const id of indexed) if (!ids.has(id)) drop(id);
      await take([...ids].filter((id) => !indexed.has(id)));
      seen = now;
    }
    const again = [...changed].slice(0, REFRESHED_MAX);
    for (const id of again) changed.delete(id);
    await take(again);
  }

  return {
    async match(preferences) {
      refreshing = refreshing.catch(() => {}).then(refresh);
      await refreshing;
      const matches: Matches = new Map();
      for (const preference of PROFILE_FIELDS) {
        const words = wordsOf(preferences[preference]).join(' ');
        if (words === '') continue;
        const results = searchPreference(search, preference, words);
        // Serves other requests between two preferences.
        await setImmediate();
        const best = results[0]?.score ?? 1;
        for (const { id, score } of results) {
          const match = matches.get(id) ?? {};
          match[preference] = score / best;
          matches.set(id, match);
        }
      }
      return matches;
    },
    markChanged(tags) {
      for (const tag of tags) {
        const id = schoolOf(tag);
        if (id !== undefined) changed.add(id);
      }
    },
    markAllChanged() {
      for (const id of indexed) changed.add(id);
    },
  };
}
