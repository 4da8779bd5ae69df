import { foldAccents, foldSearch } from '../../src/contract/folding.ts';
import type { FoundSchool } from '../../src/contract/search.ts';
import { COMMON_NAMES } from '../../src/server/data/imports/file-rows.ts';
import { createNameIndex, type NameIndex } from '../../src/server/schools/search/name-index.ts';
import { findPage } from '../../src/server/schools/search/search-page.ts';

interface ListedSchool {
  readonly name: string;
  /** As the list of universities writes it. */
  readonly country: string;
  readonly state?: string;
  readonly aliases?: readonly string[];
}

/** The index of some schools, which have the ids 1, 2, 3 … */
export function indexSchools(schools: readonly ListedSchool[]): NameIndex {
  const index = createNameIndex();
  for (const [position, { name, country, state, aliases = [] }] of schools.entries()) {
    const location = [state, COMMON_NAMES[country] ?? country].filter(Boolean).join(', ');
    const school = { id: position + 1, schoolName: name, nameKey: foldAccents(name), location };
    index.put({ ...school, aliases: JSON.stringify(aliases) });
  }
  return index;
}

/** The first schools that a text finds. */
export function searchIndex(index: NameIndex, typed: string, limit = 100): FoundSchool[] {
  const text = foldSearch(typed) || undefined;
  return findPage(index, { text, country: undefined, minRating: undefined, limit, offset: 0 }).schools;
}
