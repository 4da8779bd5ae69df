import { foldAccents } from '../../contract/folding.ts';
import { type FoundSchool, MATCHES, type Match, type SchoolSearch } from '../../contract/search.ts';
import { meanOf } from '../review-counts/queries.ts';
import { findAlias, type IndexedSchool } from './indexed-school.ts';
import type { SchoolTerms } from './school-terms.ts';

export interface SearchRequest {
  /** The folded text. Undefined: all schools. */
  readonly text: string | undefined;
  readonly country: string | undefined;
  readonly minRating: number | undefined;
  readonly limit: number;
  /** The number of results before this page. */
  readonly offset: number;
}

interface CountedCountry {
  readonly name: string;
  /** Folded, as the filter compares it. */
  readonly key: string;
  schools: number;
}

/** Finds the schools of a request, counts them by country and describes those of the page. */
export function findPage(terms: SchoolTerms, request: SearchRequest): SchoolSearch {
  const { text, country, minRating, limit, offset } = request;
  const found: Record<Match, IndexedSchool[]> = { alias: [], prefix: [], word: [], typo: [] };
  const byCountry = new Map<string, CountedCountry>();
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
    countries: listCountries([...byCountry.values()]),
  };
}

/**
 * Countries by name. What the filter takes for one country is listed once, as most of its schools write it; what no
 * filter can name is left out: the location "Paris," has no country.
 */
function listCountries(counted: readonly CountedCountry[]): SchoolSearch['countries'] {
  const byKey = new Map<string, CountedCountry>();
  const commonestFirst = (one: CountedCountry, other: CountedCountry) =>
    other.schools - one.schools || (one.name < other.name ? -1 : 1);
  for (const { name, key, schools } of counted.toSorted(commonestFirst)) {
    const same = byKey.get(key);
    if (same) same.schools += schools;
    else if (name !== '') byKey.set(key, { name, key, schools });
  }
  return [...byKey.values()]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ name, schools }) => ({ country: name, schools }));
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

function describe(school: IndexedSchool, text: string | undefined, match: Match): FoundSchool {
  const { id, schoolName, location, reviewCount } = school;
  const averageRating = reviewCount === 0 ? null : meanOf(school);
  const facts = { id, schoolName, location, averageRating, totalReviews: reviewCount };
  if (text === undefined) return facts;
  const alias = findAlias(school, text, match);
  return { ...facts, match, ...(alias !== undefined && { alias }) };
}
