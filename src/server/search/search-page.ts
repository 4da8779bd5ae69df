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

/** Finds the schools of a request, counts them by country and describes those of the page. */
export function findPage(terms: SchoolTerms, request: SearchRequest): SchoolSearch {
  const { text, country, minRating, limit, offset } = request;
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
