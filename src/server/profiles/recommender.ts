import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { PROFILE_FIELDS, type Preferences, type ProfileField } from '../../contract/profiles.ts';
import type { Database } from '../database/database.ts';
import { listMostReviewed, ratingOf } from '../visibility/count-queries.ts';
import { listSchoolIds, readEntries, readSchools } from './queries.ts';
import type { Extent, Matches, SchoolIndex } from './school-index.ts';

/** The number of best text matches whose ratings are read. */
const RATED_MAX = 200;
/** The number of candidates that are ranked for users and passed on to the model. */
const CANDIDATES_MAX = 20;

/** Location and major count most. */
const WEIGHTS: Partial<Record<ProfileField, number>> = { location: 3.5, major: 3 };

/** How many average ratings are added to those of every school, because a few ratings prove little. */
const PRIOR_COUNT = 5;
const PRIOR_RATING = 3.25;

/** The share of the best match from which a preference counts as matched. */
const MATCHED_FROM = 0.35;

/** The words for a preference in the explanation. */
const PREFERENCE_WORDS: Record<ProfileField, string> = {
  location: 'where you want to live',
  major: 'what you want to study',
  academicLevel: 'your academic level',
  campusSetting: 'the campus you have in mind',
  finance: 'your budget',
  goals: 'your goals',
  living: 'how you want to live',
  personal: 'your personal notes',
};

interface CategoryRating {
  category: Category;
  average: number;
  count: number;
}

/** A school with the reasons for it, all read from the database when it was ranked. */
export interface Candidate {
  readonly id: number;
  readonly schoolName: string;
  readonly location: string;
  readonly description: string;
  readonly matched: readonly ProfileField[];
  /** The best rated entries of the categories that belong to the matched preferences. */
  readonly entryNames: readonly string[];
  readonly average: number;
  readonly reviewCount: number;
  readonly best: CategoryRating | undefined;
  readonly score: number;
}

type EntryRow = Awaited<ReturnType<typeof readEntries>>[number];

function textScore(match: Partial<Record<ProfileField, number>>): number {
  return PROFILE_FIELDS.reduce((sum, preference) => sum + (match[preference] ?? 0) * (WEIGHTS[preference] ?? 1), 0);
}

function bestCategory(entries: readonly EntryRow[]): CategoryRating | undefined {
  return CATEGORIES.map((category) => ({ category, ...ratingOf(entries.filter(({ kind }) => kind === category.kind)) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.average - one.average || other.count - one.count)[0];
}

/** The entries whose words occur in the profile, for a concrete explanation. */
function namesFor(matched: readonly ProfileField[], entries: readonly EntryRow[], preferences: Preferences): string[] {
  const words = new Set(
    matched
      .flatMap((preference) => preferences[preference].toLowerCase().split(/[^\p{L}\p{N}]+/u))
      .filter((word) => word.length > 3),
  );
  const kinds = new Set(
    CATEGORIES.filter(({ fulfils }) => fulfils?.some((preference) => matched.includes(preference))).map(
      ({ kind }) => kind,
    ),
  );
  return entries
    .filter(
      ({ kind, name }) =>
        kinds.has(kind) &&
        name
          .toLowerCase()
          .split(/[^\p{L}\p{N}]+/u)
          .some((word) => words.has(word)),
    )
    .sort((one, other) => ratingOf([other]).average - ratingOf([one]).average)
    .slice(0, 2)
    .map(({ name }) => name);
}

/** Schools in the order in which they fit a profile. */
interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly extent: Extent;
}

/** Ranks schools for a profile by their own texts and those of their reviews, weighted by the ratings. */
export async function rankSchools(database: Database, index: SchoolIndex, preferences: Preferences): Promise<Ranking> {
  const { matches, extent } = await index.match(preferences);
  const ids = await shortlist(database, matches);
  const candidates = ids.length > 0 ? await rate(database, ids, matches, preferences) : [];
  return { candidates, extent };
}

async function rate(database: Database, ids: readonly number[], matches: Matches, preferences: Preferences) {
  const [schools, entries] = await Promise.all([readSchools(database.read, ids), readEntries(database.read, ids)]);
  const bySchool = Map.groupBy(entries, ({ schoolId }) => schoolId);
  return schools
    .map((school) => {
      const own = bySchool.get(school.id) ?? [];
      const match = matches.get(school.id) ?? {};
      const { average, count } = ratingOf(own);
      const trusted = (PRIOR_RATING * PRIOR_COUNT + average * count) / (PRIOR_COUNT + count);
      const matched = PROFILE_FIELDS.filter((preference) => (match[preference] ?? 0) >= MATCHED_FROM);
      return {
        ...school,
        matched,
        entryNames: namesFor(matched, own, preferences),
        average,
        reviewCount: count,
        best: bestCategory(own),
        // The text counts more than the ratings; if no text matches, the ratings alone decide.
        score: (textScore(match) + 0.1) * (0.6 + (0.8 * trusted) / 5),
      };
    })
    .sort((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, CANDIDATES_MAX);
}

/** The best text matches. If there are few, the most reviewed schools are added, so that there is a choice. */
async function shortlist(database: Database, matches: Matches): Promise<number[]> {
  const matching = [...matches]
    .map(([id, match]) => ({ id, score: textScore(match) }))
    .sort((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, RATED_MAX)
    .map(({ id }) => id);
  if (matching.length >= CANDIDATES_MAX) return matching;
  const reviewed = await listMostReviewed(database.readShared(), CANDIDATES_MAX);
  const others = reviewed.length > 0 ? reviewed : await listSchoolIds(database.readShared(), CANDIDATES_MAX);
  return [...new Set([...matching, ...others])];
}

const listed = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts);

/** The built-in recommender's answer: one school and the reasons for it, taken from the data. */
export function explain(choice: Candidate): string {
  const { schoolName, location, matched, entryNames, average, reviewCount, best } = choice;
  const sentences = [`${schoolName} (${location}) is your best match.`];
  if (matched.length > 0)
    sentences.push(`It fits ${listed(matched.map((preference) => PREFERENCE_WORDS[preference]))}.`);
  else if (reviewCount > 0)
    sentences.push('Your profile names nothing that schools here speak of, so the ratings decided.');
  else sentences.push('Your profile names nothing that schools here speak of, so take it as a place to start.');
  if (entryNames.length > 0) sentences.push(`Have a look at ${listed(entryNames)} there.`);
  if (reviewCount > 0) {
    const reviews = reviewCount === 1 ? '1 review' : `${reviewCount.toLocaleString('en')} reviews`;
    const strength = best ? `, and best of all in ${best.category.label} (${best.average.toFixed(1)})` : '';
    sentences.push(`It is rated ${average.toFixed(1)} of 5 stars in ${reviews}${strength}.`);
  } else {
    sentences.push('Nobody has reviewed it here yet.');
  }
  return sentences.join(' ');
}
