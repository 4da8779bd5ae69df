import { foldAccents } from '../../../contract/folding.ts';
import {
  type FoundSchool,
  MATCHES,
  type Match,
  type SchoolFigures,
  type SchoolOrder,
  type SchoolSearch,
} from '../../../contract/search.ts';
import { meanOf } from '../../visibility/count-queries.ts';
import type { IndexedSchool } from './indexed-school.ts';
import type { NameIndex } from './name-index.ts';
import type { Country, SchoolLayout } from './school-layout.ts';

export interface SearchRequest {
  /** The folded text. Undefined: all schools. */
  readonly text: string | undefined;
  readonly country: string | undefined;
  readonly minRating: number | undefined;
  /** The order of a search without a text. */
  readonly order?: SchoolOrder | undefined;
  readonly limit: number;
  /** The number of results before this page. */
  readonly offset: number;
}

/** Close matches follow if fewer schools than this match. */
const MATCHES_MIN = 3;
const CLOSE_MAX = 10;

/** The ranks of the schools with one kind of match, listed by `order`. There can be orders without schools. */
type RanksByOrder = (number[] | undefined)[];

/** Finds the schools of a request, counts them by country and describes those of the page. */
export function findPage(index: NameIndex, request: SearchRequest): SchoolSearch {
  const { text, country, minRating, order, limit, offset } = request;
  const layout = index.layout();
  const { schools, countries, countryOf } = layout;
  const found: Record<Match, RanksByOrder> = { alias: [], prefix: [], word: [], typo: [], close: [] };
  const counts = new Uint32Array(countries.length);
  const countryKey = country && foldAccents(country);
  const isWanted = countries.map(({ key }) => countryKey === undefined || key === countryKey);
  const hasRating = (rank: number) => minRating === undefined || isRated(schools[rank] as IndexedSchool, minRating);
  let total = 0;
  /** Counts a school in its country. @returns whether it is the country of the request */
  const countInCountry = (rank: number) => {
    const position = countryOf[rank] as number;
    counts[position] = (counts[position] as number) + 1;
    return isWanted[position] as boolean;
  };
  const addMatch = (rank: number, match: Match, order: number) => {
    if (!hasRating(rank) || !countInCountry(rank)) return;
    addRank(found[match], rank, order);
    total += 1;
  };
  const matches = text === undefined ? undefined : index.find(text);
  if (matches) matches.forEach(addMatch);
  else {
    for (let rank = 0; rank < schools.length; rank += 1) addMatch(rank, 'word', 0);
    if (order === 'reviewed') found.word = [mostReviewedFirst(schools, found.word[0] ?? [])];
  }
  if (matches && total < MATCHES_MIN) {
    const close: RanksByOrder = [];
    matches.forEachClose((rank, _match, order) => {
      if (hasRating(rank) && isWanted[countryOf[rank] as number]) addRank(close, rank, order);
    });
    const closest = close.flatMap((ranks) => ranks ?? []).slice(0, CLOSE_MAX);
    found.close = [closest];
    total += closest.length;
    closest.forEach(countInCountry);
  }
  return {
    total,
    schools: pageOf(layout, found, offset, limit).map(({ school, match }) => ({
      ...describe(school),
      ...(matches && { match, alias: matches.aliasOf(school, match) }),
    })),
    countries: listCountries(countries, counts),
  };
}

function addRank(byOrder: RanksByOrder, rank: number, order: number): void {
  const ranks = byOrder[order];
  if (ranks) ranks.push(rank);
  else byOrder[order] = [rank];
}

const isRated = (school: IndexedSchool, minRating: number) => school.reviewCount > 0 && meanOf(school) >= minRating;

/** Most schools have no reviews: they need not be sorted, because they are in order already. */
function mostReviewedFirst(schools: readonly IndexedSchool[], ranks: readonly number[]): number[] {
  const countOf = (rank: number) => schools[rank]?.reviewCount ?? 0;
  const reviewed = ranks.filter((rank) => countOf(rank) > 0).sort((one, other) => countOf(other) - countOf(one));
  return [...reviewed, ...ranks.filter((rank) => countOf(rank) === 0)];
}

/** The figures of every school that has reviews. */
export function listFigures({ schools }: SchoolLayout): SchoolFigures[] {
  const figures: SchoolFigures[] = [];
  for (const school of schools) {
    const { id, reviewCount, isBeingChecked } = school;
    if (reviewCount === 0) continue;
    figures.push(isBeingChecked ? [id, meanOf(school), reviewCount, true] : [id, meanOf(school), reviewCount]);
  }
  return figures;
}

/**
 * Countries by name. Spellings that the filter takes for one country are listed once, as most of its schools write it.
 * Schools without a country, as in "Paris,", are left out: an empty filter means all countries.
 * @param counts how many schools were found in each country
 */
function listCountries(countries: readonly Country[], counts: Uint32Array): SchoolSearch['countries'] {
  const byKey = new Map<string, { name: string; key: string; schools: number }>();
  const counted = countries.map((country, position) => ({ ...country, schools: counts[position] as number }));
  const commonestFirst = counted
    .filter(({ schools }) => schools > 0)
    .sort((one, other) => other.schools - one.schools || (one.name < other.name ? -1 : 1));
  for (const { name, key, schools } of commonestFirst) {
    const listed = byKey.get(key);
    if (listed) listed.schools += schools;
    else if (name !== '') byKey.set(key, { name, key, schools });
  }
  return [...byKey.values()]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ name, schools }) => ({ country: name, schools }));
}

/** Only the schools of the page are read, even if thousands are found. */
function pageOf({ schools }: SchoolLayout, found: Record<Match, RanksByOrder>, offset: number, limit: number) {
  const page: { school: IndexedSchool; match: Match }[] = [];
  let before = offset;
  for (const match of MATCHES) {
    for (const ranks of found[match]) {
      if (!ranks) continue;
      for (const rank of ranks.slice(before, before + limit - page.length))
        page.push({ school: schools[rank] as IndexedSchool, match });
      before = Math.max(0, before - ranks.length);
    }
  }
  return page;
}

function describe(school: IndexedSchool): FoundSchool {
  const { id, schoolName, reviewCount, place, isBeingChecked } = school;
  const averageRating = reviewCount === 0 ? null : meanOf(school);
  return { id, schoolName, location: place.location, averageRating, totalReviews: reviewCount, isBeingChecked };
}
