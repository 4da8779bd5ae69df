import { foldAccents, foldSearch } from '../../contract/folding.ts';
import type { IndexedSchool } from './indexed-school.ts';
import { createSchoolTerms, type SchoolTerms } from './school-terms.ts';

/** How many names an admin has to compare at most. */
const CLOSEST_MAX = 5;
/** A word in more names than this is too common to distinguish them: "university". */
const COMMON_SHARE = 0.05;
const COMMON_MIN = 5;
/** The share of a name's weight that the other name must have in common. */
const SHARED_MIN = 0.4;
/** The weight of a word that no name has: it may be a typo, a branch or a part that others leave out. */
const UNKNOWN_SHARE = 0.5;

/**
 * The schools that share the distinctive words of a name, allowing typos, closest first. A word weighs more if fewer
 * names have it.
 * @param country among equally close schools, those in this country come first
 */
export function findClosest(terms: SchoolTerms, name: string, country = ''): IndexedSchool[] {
  const text = foldSearch(name);
  if (text === '') return [];
  terms.all();
  const commonFrom = Math.max(COMMON_MIN, terms.size * COMMON_SHARE);
  const words = terms.readWords(text).map(({ close, schools }) => ({ close, count: schools }));
  const telling = words.filter(({ count }) => count <= commonFrom);
  const shared = new Map<IndexedSchool, number>();
  let told = 0;
  for (const { close, count } of telling.length > 0 ? telling : words) {
    const weight = Math.log(1 + terms.size / (1 + count));
    told += count === 0 ? weight * UNKNOWN_SHARE : weight;
    const found = new Set([...close].flatMap(({ schools }) => schools));
    for (const school of found) shared.set(school, (shared.get(school) ?? 0) + weight);
  }
  const countryKey = foldAccents(country);
  const orderOf = (school: IndexedSchool): readonly number[] => [
    -(shared.get(school) ?? 0),
    school.countryKey === countryKey ? 0 : 1,
    Math.abs(school.terms.length - words.length),
    school.rank,
  ];
  return [...shared]
    .filter(([, weight]) => weight >= told * SHARED_MIN)
    .map(([school]) => ({ school, order: orderOf(school) }))
    .sort((one, other) => compare(one.order, other.order))
    .slice(0, CLOSEST_MAX)
    .map(({ school }) => school);
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index < 0 ? 0 : (one[index] as number) - (other[index] as number);
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Indexes a list of names. @returns a function that finds the names closest to another one */
export function indexNames(names: readonly Named[]): (name: string) => Named[] {
  const terms = createSchoolTerms();
  for (const { id, name } of names) {
    terms.put({ id, schoolName: name, nameKey: foldAccents(name), location: '', aliases: '[]' });
  }
  return (name) => findClosest(terms, name).map(({ id, schoolName }) => ({ id, name: schoolName }));
}
