import { setImmediate } from 'node:timers/promises';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { PROFILE_FIELDS, type ProfileField } from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import { listMostReviewed, ratingOf } from '../visibility/count-queries.ts';
import { createRatePlace } from './places.ts';
import { canFulfil, type Preference, stemsOf, type WordsByStem } from './preferences.ts';
import { listSchoolIds, readEntries, readSchools } from './queries.ts';
import type { Matches, MatchKey, SchoolIndex } from './school-index.ts';

/** The number of best text matches whose ratings are read. */
const RATED_MAX = 200;
/** The number of candidates that are ranked for users and passed on to the model. */
const CANDIDATES_MAX = 20;

/** Location and major count most. */
const WEIGHTS: Partial<Record<MatchKey, number>> = { location: 3.5, placeName: 3.5, major: 3 };

/** How many ratings of `PRIOR_RATING` are added to those of every school, because a few ratings prove little. */
const PRIOR_COUNT = 5;
const PRIOR_RATING = 3.25;

/** The share of the best match from which a preference counts as matched. */
const MATCH_MIN = 0.35;

/**
 * The factor of a preference whose words are all in one name. It is higher than the score of the best match of texts at
 * the best rated school: 1.54 for a preference of weight 1. The name of a major counts more than any other name.
 */
const NAME_FACTOR = 1.6;
const MAJOR_FACTOR = 3.2;
/** A name without other words counts more: "MIT" is meant to find MIT, not the MIT World Peace University. */
const WHOLE_NAME_FACTOR = 1.5;

interface CategoryRating {
  category: Category;
  average: number;
  count: number;
}

/** A school with the reasons for it, all read from the database when it was ranked. */
export interface Candidate {
  readonly id: number;
  readonly schoolName: string;
  readonly aliases: readonly string[];
  readonly location: string;
  readonly description: string;
  /** Up to two entries that belong to the matched preferences, the best rated first. */
  readonly entryNames: readonly string[];
  readonly allEntryNames: readonly string[];
  readonly average: number;
  readonly reviewCount: number;
  readonly best: CategoryRating | undefined;
  /** How well its place is the preferred one; 0 if nothing shows that it is. */
  readonly place: number;
  readonly score: number;
}

/** An entry with the stems of its name, which are compared with every word of every preference. */
type Entry = Awaited<ReturnType<typeof readEntries>>[number] & { readonly stems: WordsByStem };

const MATCH_KEYS: readonly MatchKey[] = [...PROFILE_FIELDS, 'placeName'];

function textScore(match: Partial<Record<MatchKey, number>>): number {
  return MATCH_KEYS.reduce((sum, one) => sum + (match[one] ?? 0) * (WEIGHTS[one] ?? 1), 0);
}

/** The factor for a preference whose words are all in one name, otherwise 0. A location is compared with places. */
function nameFactor({ field, wanted }: Preference, names: readonly WordsByStem[], entries: readonly Entry[]): number {
  if (field === 'location' || wanted.length === 0) return 0;
  const rate = (stems: WordsByStem): number => {
    if (!wanted.every(({ stem }) => stems.has(stem))) return 0;
    return stems.size > wanted.length ? 1 : WHOLE_NAME_FACTOR;
  };
  const best = (all: readonly WordsByStem[]) => all.map(rate).reduce((one, other) => Math.max(one, other), 0);
  const offered = field === 'major' ? entries.filter(({ kind }) => canFulfil(kind, ['major'])) : [];
  const inMajors = MAJOR_FACTOR * best(offered.map(({ stems }) => stems));
  return inMajors || NAME_FACTOR * best([...names, ...entries.map(({ stems }) => stems)]);
}

function bestCategory(entries: readonly Entry[]): CategoryRating | undefined {
  return CATEGORIES.map((category) => ({ category, ...ratingOf(entries.filter(({ kind }) => kind === category.kind)) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.average - one.average || other.count - one.count)[0];
}

/** The names of the best rated entries that have a word of a matched preference, in categories that can fulfil one. */
function matchingEntryNames(
  matched: readonly ProfileField[],
  entries: readonly Entry[],
  preferences: readonly Preference[],
): string[] {
  const stems = preferences
    .filter(({ field }) => matched.includes(field))
    .flatMap(({ wanted }) => wanted.map(({ stem }) => stem));
  return entries
    .filter((entry) => canFulfil(entry.kind, matched) && stems.some((stem) => entry.stems.has(stem)))
    .sort((one, other) => ratingOf([other]).average - ratingOf([one]).average)
    .slice(0, 2)
    .map(({ name }) => name);
}

/** Ranks schools for a profile by their own texts and those of their reviews, weighted by the ratings. */
export async function rankSchools(database: Database, index: SchoolIndex, preferences: readonly Preference[]) {
  const { extent, ...textMatches } = await index.match(preferences);
  // SQLite answers synchronously: other requests are served between search, reading and scoring.
  await setImmediate();
  const ids = await shortlist(database, textMatches);
  const candidates = ids.length > 0 ? await scoreSchools(database, ids, textMatches, preferences) : [];
  return { candidates, withUnwanted: new Set(textMatches.unwanted.keys()), extent };
}

/** A school as a candidate, however well it fits. */
export async function findCandidate(
  database: Database,
  id: number,
  preferences: readonly Preference[],
): Promise<Candidate | undefined> {
  const [candidate] = await scoreSchools(database, [id], { matches: new Map(), unwanted: new Map() }, preferences);
  return candidate;
}

interface TextMatches {
  readonly matches: Matches;
  /** How much reviews mention something unwanted. */
  readonly unwanted: Matches;
}

/** The place decides before anything else: few people would move to another country for a better match. */
const byFit = (one: Candidate, other: Candidate) =>
  other.place - one.place || other.score - one.score || one.id - other.id;

async function scoreSchools(
  database: Database,
  ids: readonly number[],
  { matches, unwanted }: TextMatches,
  preferences: readonly Preference[],
): Promise<Candidate[]> {
  const [schools, rows] = await Promise.all([readSchools(database.read, ids), readEntries(database.read, ids)]);
  await setImmediate();
  const entries = rows.map((row): Entry => ({ ...row, stems: stemsOf(row.name) }));
  const bySchool = Map.groupBy(entries, ({ schoolId }) => schoolId);
  const ratePlace = createRatePlace(preferences);
  return schools
    .map((school) => {
      const own = bySchool.get(school.id) ?? [];
      const names = namesOf(school);
      const match = matches.get(school.id) ?? {};
      const { average, count } = ratingOf(own);
      const bayesianMean = (PRIOR_RATING * PRIOR_COUNT + average * count) / (PRIOR_COUNT + count);
      const matched = PROFILE_FIELDS.filter((preference) => (match[preference] ?? 0) >= MATCH_MIN);
      const named = Object.fromEntries(
        preferences.map((preference) => [preference.field, nameFactor(preference, names, own)]),
      );
      const fit = textScore(match) - textScore(unwanted.get(school.id) ?? {});
      return {
        ...school,
        entryNames: matchingEntryNames(matched, own, preferences),
        allEntryNames: own.map(({ name }) => name),
        average,
        reviewCount: count,
        best: bestCategory(own),
        place: ratePlace(school.location, names),
        // The text counts more than the ratings, and names more than both; if no text matches, the ratings alone
        // decide.
        score: textScore(named) + (fit < 0 ? fit : (fit + 0.1) * (0.6 + (0.8 * bayesianMean) / 5)),
      };
    })
    .sort(byFit)
    .slice(0, CANDIDATES_MAX);
}

const namesOf = ({ schoolName, aliases }: Pick<Candidate, 'schoolName' | 'aliases'>): WordsByStem[] =>
  [schoolName, ...aliases].map(stemsOf);

/** The schools among some that lie in the preferred place. */
export async function keepInPlace(
  database: Database,
  ids: readonly number[],
  preferences: readonly Preference[],
): Promise<Set<number>> {
  const schools = await readSchools(database.read, ids);
  const ratePlace = createRatePlace(preferences);
  return new Set(schools.filter((school) => ratePlace(school.location, namesOf(school)) > 0).map(({ id }) => id));
}

/**
 * The best text matches, those of a location first. If there are few, the most reviewed schools are added, so that there
 * is a choice.
 */
async function shortlist(database: Database, { matches, unwanted }: TextMatches): Promise<number[]> {
  const matching = [...matches]
    .map(([id, match]) => ({
      id,
      isInPlace: Number((match.location ?? 0) >= MATCH_MIN),
      score: textScore(match) - textScore(unwanted.get(id) ?? {}),
    }))
    .sort((one, other) => other.isInPlace - one.isInPlace || other.score - one.score || one.id - other.id)
    .slice(0, RATED_MAX)
    .map(({ id }) => id);
  if (matching.length >= CANDIDATES_MAX) return matching;
  const reviewed = await listMostReviewed(database.readShared(), CANDIDATES_MAX);
  const others = reviewed.length > 0 ? reviewed : await listSchoolIds(database.readShared(), CANDIDATES_MAX);
  return [...new Set([...matching, ...others])];
}
