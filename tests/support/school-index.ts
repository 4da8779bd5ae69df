import { foldAccents, foldSearch } from '../../src/contract/folding.ts';
import type { FoundSchool } from '../../src/contract/search.ts';
import { COMMON_NAMES } from '../../src/server/data/imports/school-row.ts';
import { createSchoolTerms, type SchoolTerms } from '../../src/server/schools/search/school-terms.ts';
import { findPage } from '../../src/server/schools/search/search-page.ts';

interface ListedSchool {
  readonly name: string;
  /** As the list of universities writes it. */
  readonly country: string;
  readonly state?: string;
  readonly aliases?: readonly string[];
}

/** The index of some schools, which have the ids 1, 2, 3 … */
export function indexSchools(schools: readonly ListedSchool[]): SchoolTerms {
  const terms = createSchoolTerms();
  for (const [index, { name, country, state, aliases = [] }] of schools.entries()) {
    const location = [state, COMMON_NAMES[country] ?? country].filter(Boolean).join(', ');
    const school = { id: index + 1, schoolName: name, nameKey: foldAccents(name), location };
    terms.put({ ...school, aliases: JSON.stringify(aliases) });
  }
  return terms;
}

/** The first schools that a text finds. */
export function searchIndex(terms: SchoolTerms, typed: string, limit = 100): FoundSchool[] {
  const text = foldSearch(typed) || undefined;
  return findPage(terms, { text, country: undefined, minRating: undefined, limit, offset: 0 }).schools;
}
