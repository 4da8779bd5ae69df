import { type AddressParts, type Call, callAddress } from '../src/contract/call.ts';
import { CATEGORIES, type Category } from '../src/contract/categories.ts';
import { compareSchools, getSchoolSummary } from '../src/contract/comparison.ts';
import { getCategorySummary, getEntrySummary } from '../src/contract/entry-summary.ts';
import { getRanking, leaderboardCall } from '../src/contract/leaderboard.ts';
import { PAGES, pageAddress } from '../src/contract/pages.ts';
import { getCategoryReviews, reviewCalls } from '../src/contract/reviews.ts';
import { listSchools } from '../src/contract/schools.ts';
import { getSchoolFigures, searchSchools } from '../src/contract/search.ts';
import { getEntryVoices, getSchoolVoices, getVoices } from '../src/contract/voices.ts';
import type { Load } from './load.ts';
import type { Options } from './options.ts';
import { whole } from './sections.ts';
import type { Entry, Subjects } from './subjects.ts';

/** One answer, as the check before the load sees it. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly etag: string | null;
  readonly body: Buffer;
}

/** Something that is read again and again. */
export interface Reading {
  readonly name: string;
  readonly what: string;
  readonly load: Load;
  /** The share that it must reach of the requests a second of bare node:http with the same bytes. */
  readonly goal?: number;
  /** What is wrong with an answer; undefined when nothing is. */
  readonly findFault: (body: string) => string | undefined;
  /** Sends the ETag of the answer before, and is answered 304. */
  readonly isRevalidated?: true;
  /** Milliseconds allowed on SQLite for the median answer when it is asked for alone, one request after the other. */
  readonly aloneMax?: number;
}

type ReadSubjects = Pick<Subjects, 'hottest' | 'ordinary' | 'schoolIds'>;

const expects = (what: string, isSo: (body: string) => boolean) => (body: string) =>
  isSo(body) ? undefined : `${what} was expected`;

const hasRows = (rows: number) => expects(`a list of ${rows}`, (body) => JSON.parse(body).length === rows);

const PREFIXES = ['uni', 'royal', 'gre', 'pine', 'o', 'north'];
const SUGGESTIONS = 5;
/** Searches: a common word, a beginning, a typo, and several words. */
export const SEARCHES = ['university', 'gre', 'universiti', 'university of the north'];

export const GOALS = {
  warm: 0.9,
  prefix: 0.8,
  uncachedList: 0.12,
  uncachedAverage: 0.5,
  post: 0.18,
  /** Posts a second. */
  postsOnPostgres: 4_000,
  postP99: 25,
  mixed: 0.6,
  p99OfLimit: 3,
  firstAnswerAfterWrite: 5,
  alone: 5,
  grown: 0.95,
  /** How many times the requests of one process several processes must answer. */
  scaled: 1.7,
};

const entryAddress = (call: Call, id: number, limit?: number) =>
  callAddress(call, { params: { id }, query: { limit } });

type FindFault = Reading['findFault'];

/** A read whose responses are cached. */
const warm = (name: string, what: string, path: string, findFault: FindFault): Reading => ({
  ...{ name, what, goal: GOALS.warm, load: { paths: [path] }, findFault },
});

const hasAverage = expects('an average above 0', (body) => JSON.parse(body).averageRating > 0);

const averageOf = ({ id, category }: Entry, name: string, what: string): Reading =>
  warm(name, what, entryAddress(reviewCalls(category).averageRating, id), hasAverage);

const revalidated = (reading: Reading): Reading => ({
  ...reading,
  name: `${reading.name} 304`,
  what: `${reading.what}, not modified`,
  isRevalidated: true,
});

/**
 * Reads by which readers decide: the hottest entry's summary, its lists in other orders and filtered, whole schools.
 */
function decisionReads({ hottest: { id, category, reviews }, schoolIds }: ReadSubjects): Reading[] {
  const entry = `the hottest entry, ${whole(reviews)} reviews`;
  const listed = (name: string, what: string, query: object): Reading => {
    const path = callAddress(reviewCalls(category).list, { params: { id }, query: { limit: 20, ...query } });
    return warm(name, `20 reviews of ${entry}, ${what}`, path, hasRows(20));
  };
  const row = (name: string, what: string, call: Call, parts: AddressParts, isSo: (body: string) => boolean): Reading =>
    warm(name, what, callAddress(call, parts), expects(what, isSo));
  const totalOf = (body: string) => JSON.parse(body).totalReviews;
  const ids = schoolIds.toSorted((a, b) => a - b).join();
  const compared = `comparison of ${schoolIds.length} schools`;
  const hasAll = (body: string) => JSON.parse(body).schools.length === schoolIds.length;
  const ofCategory = { query: { category: category.kind } };
  const isRated = (body: string) => JSON.parse(body).rows[0].weightedRating > 0;
  const ofSchool = { params: { schoolId: schoolIds[0] ?? 0 } };
  return [
    row('W9', `summary of ${entry}`, getEntrySummary, { params: { entryId: id } }, (body) => totalOf(body) >= reviews),
    listed('W10', 'lowest rated', { sort: 'lowest' }),
    listed('W10b', 'most helpful', { sort: 'helpful' }),
    listed('W11', 'of four stars by parents', { stars: 4, relation: 'parent' }),
    row('W12', 'summary of a school', getSchoolSummary, ofSchool, (body) => totalOf(body) > 0),
    row('W13', compared, compareSchools, { query: { ids } }, hasAll),
    row('W14', `ranking: ${category.label}`, getRanking, ofCategory, isRated),
  ];
}

/** What pages on the way to a review read: voices, a category at the hottest entry's school, figures of all schools. */
function voiceReads({ hottest: { category }, schoolIds: [schoolId = 0] }: ReadSubjects): Reading[] {
  const school = 'the hottest entry’s school';
  const row = (name: string, what: string, call: Call, query: object, isSo: (body: string) => boolean): Reading =>
    warm(name, what, callAddress(call, { params: { schoolId }, query }), expects(what, isSo));
  const hasSome = (body: string) => JSON.parse(body).length > 0;
  const ofCategory = { category: category.kind };
  return [
    row('W15', `voices of ${school}`, getSchoolVoices, {}, hasSome),
    row('W16', `voices of its ${category.label}`, getEntryVoices, ofCategory, hasSome),
    row('W17', 'voices of the site', getVoices, {}, hasSome),
    row('W18', `summary of its ${category.label}`, getCategorySummary, ofCategory, (body) => {
      return JSON.parse(body).totalReviews > 0;
    }),
    row('W19', `20 reviews of its ${category.label}`, getCategoryReviews, { ...ofCategory, limit: 20 }, hasSome),
    row('W20', 'figures of all schools', getSchoolFigures, {}, hasSome),
  ];
}

const isLeaderboard = expects('a list of schools', (body) => JSON.parse(body)[0].averageRating > 0);
const isBadge = expects('a badge with a figure', (body) => body.includes('★'));
const isFeed = expects('a feed of 50', (body) => body.split('<entry>').length === 51);

/** The reads that have performance goals, in the order of the table. */
export function readings(subjects: ReadSubjects, { schools }: Pick<Options, 'schools'>): Reading[] {
  const { hottest, ordinary, schoolIds } = subjects;
  const { id, category, reviews } = hottest;
  const { list } = reviewCalls(category);
  const allSchools = warm('W1', `all ${whole(schools)} schools`, listSchools.path, hasRows(schools));
  const average = averageOf(ordinary, 'W3', `average of an entry with ${ordinary.reviews} reviews`);
  return [
    allSchools,
    warm('W2', '20 newest reviews', entryAddress(list, id, 20), hasRows(20)),
    warm('W2b', '100 newest reviews', entryAddress(list, id), hasRows(100)),
    average,
    averageOf(hottest, 'W3h', `average of the hottest entry, ${whole(reviews)} reviews`),
    warm('W4', `leaderboard: ${category.label}`, leaderboardCall(category).path, isLeaderboard),
    {
      name: 'W6',
      what: `prefix search, ${PREFIXES.length} prefixes`,
      goal: GOALS.prefix,
      load: { paths: PREFIXES.map((prefix) => `${listSchools.path}?prefix=${prefix}&limit=${SUGGESTIONS}`) },
      findFault: hasRows(SUGGESTIONS),
    },
    {
      name: 'W8',
      what: `search of schools, ${SEARCHES.length} texts`,
      goal: GOALS.warm,
      load: { paths: SEARCHES.map((text) => callAddress(searchSchools, { query: { q: text } })) },
      findFault: expects('a search with a total', (body) => JSON.parse(body).total >= 0),
    },
    ...decisionReads(subjects),
    ...voiceReads(subjects),
    // What pages of other sites show.
    warm('W21', 'badge of a school', `/badges/school/${schoolIds[0]}.svg`, isBadge),
    warm('W22', `feed of the hottest entry, ${whole(reviews)} reviews`, `/feeds/entry/${id}.atom`, isFeed),
    {
      name: 'W7',
      what: 'document of a school page',
      load: { paths: [pageAddress(PAGES.school, schoolIds[0])] },
      findFault: expects('a document about a school', (body) => body.includes('"CollegeOrUniversity"')),
    },
    revalidated(allSchools),
    revalidated(average),
  ];
}

/** The name by which `--only` asks for a workload and its variants, such as W1 for "W1 304". */
export const workloadOf = (name: string): string => name.split(' ')[0] as string;

/** The names of all workloads. */
export function workloadNames(): string[] {
  const [category] = CATEGORIES as [Category];
  const entry = { id: 0, category, reviews: 0 };
  const reads = readings({ hottest: entry, ordinary: entry, schoolIds: [] }, { schools: 0 });
  return [...new Set([...reads.map(({ name }) => workloadOf(name)), 'W5', 'mixed'])];
}

/** The setting that turns the cache off. */
export const UNCACHED = { CACHE_MB: '0' };

/** The reads that are measured without the cache too, with the shares that they must reach then. */
export function uncached(all: readonly Reading[]): Reading[] {
  const alone = { aloneMax: GOALS.alone };
  const goals: Record<string, Pick<Reading, 'goal' | 'aloneMax'>> = {
    W2: { goal: GOALS.uncachedList },
    W3: { goal: GOALS.uncachedAverage },
    ...{ W4: {}, W6: {}, W8: {} },
    ...{ W9: alone, W10: alone, W10b: alone, W11: alone, W12: alone, W13: alone, W14: alone },
    ...{ W15: alone, W16: alone, W17: alone, W18: alone, W19: alone, W20: alone },
  };
  return all
    .filter(({ name }) => name in goals)
    .map((reading) => ({
      ...reading,
      name: `${reading.name} cache off`,
      what: `${reading.what}, uncached`,
      goal: undefined,
      ...goals[reading.name],
    }));
}

/** What the pages of all entries read: the newest reviews, the average, the total. */
export function readsOfAllEntries({ entries }: Subjects): string[] {
  return entries.flatMap(({ id, category }) => {
    const { list, averageRating, totalReviews } = reviewCalls(category);
    return [entryAddress(list, id, 20), entryAddress(averageRating, id), entryAddress(totalReviews, id)];
  });
}
