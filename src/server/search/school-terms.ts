import type { Match } from '../../contract/search.ts';
import { allWordsOf, byName, type IndexedSchool, isUnchanged, matchOf, readRow } from './indexed-school.ts';
import type { SchoolRow } from './queries.ts';
import { createVocabulary, type TypedWord } from './vocabulary.ts';

export interface SchoolTerms {
  readonly size: number;
  ids(): Iterable<number>;
  /** Adds or replaces a school. An unchanged school stays as it is. */
  put(row: SchoolRow): IndexedSchool;
  drop(id: number): void;
  /** All schools, sorted by name. */
  all(): readonly IndexedSchool[];
  /** The words of a folded text, without duplicates, with the terms that match them. */
  readWords(text: string): TypedWord[];
  /**
   * Calls back for each school that matches a folded text, sorted by name within each kind of match. Of the schools
   * that match with typos, only those with the fewest misspelt words count: "Lane Colllge" finds Lane College, but not
   * Lake College.
   */
  forEachMatch(text: string, onMatch: (school: IndexedSchool, match: Match) => void): void;
}

/** How a school matches a word: exactly, or with typos. */
const EXACT = 2;
const MISSPELT = 1;
/** More misspelt words than can be typed: the school lacks one of the words. */
const NEVER = 1_000;

/** An index of the words in names and aliases. */
export function createSchoolTerms(): SchoolTerms {
  const schools = new Map<number, IndexedSchool>();
  const vocabulary = createVocabulary();
  /** Undefined: must be sorted before the next search. */
  let inOrder: readonly IndexedSchool[] | undefined;

  function sortSchools(): readonly IndexedSchool[] {
    const all = [...schools.values()].sort(byName);
    for (const [rank, school] of all.entries()) school.rank = rank;
    inOrder = all;
    return all;
  }

  function drop(id: number): void {
    const school = schools.get(id);
    if (!school) return;
    schools.delete(id);
    inOrder = undefined;
    for (const term of school.terms) term.schools = term.schools.filter((other) => other !== school);
  }

  return {
    get size() {
      return schools.size;
    },
    ids: () => schools.keys(),
    put(row) {
      const before = schools.get(row.id);
      if (before && isUnchanged(before, row)) return before;
      drop(row.id);
      const school = readRow(row);
      schools.set(row.id, school);
      inOrder = undefined;
      school.terms = allWordsOf(school).map(vocabulary.termOf);
      for (const term of school.terms) term.schools.push(school);
      vocabulary.sortMany();
      return school;
    },
    drop,
    all: () => inOrder ?? sortSchools(),
    readWords: vocabulary.readWords,
    forEachMatch(text, onMatch) {
      const words = vocabulary.readWords(text);
      if (words.some(({ close }) => close.size === 0)) return;
      const all = inOrder ?? sortSchools();
      // Starts with the rarest word: few schools have it, and the other words are compared only with those.
      const [rarest, ...others] = words.toSorted((one, other) => one.schools - other.schools);
      if (!rarest) return;
      const marks = markSchools(rarest, all.length);
      let fewest = words.length;
      let withTypos: IndexedSchool[] = [];
      for (let rank = 0; rank < all.length; rank += 1) {
        const mark = marks[rank];
        if (!mark) continue;
        const school = all[rank] as IndexedSchool;
        const misspelt = (mark === EXACT ? 0 : 1) + countMisspelt(others, school);
        if (misspelt === 0) onMatch(school, matchOf(school, text));
        else if (misspelt <= fewest) {
          if (misspelt < fewest) withTypos = [];
          fewest = misspelt;
          withTypos.push(school);
        }
      }
      for (const school of withTypos) onMatch(school, 'typo');
    },
  };
}

/** How each school matches a word, by its rank; 0 for those that lack it. */
function markSchools({ from, to, close }: TypedWord, count: number): Uint8Array {
  const marks = new Uint8Array(count);
  for (const { index, schools } of close) {
    const mark = index >= from && index < to ? EXACT : MISSPELT;
    for (const { rank } of schools) marks[rank] = Math.max(marks[rank] as number, mark);
  }
  return marks;
}

/** How many of the words a school has with typos alone; `NEVER` or more when it lacks one. */
function countMisspelt(words: readonly TypedWord[], { terms }: IndexedSchool): number {
  let misspelt = 0;
  for (const { from, to, close } of words) {
    if (terms.some(({ index }) => index >= from && index < to)) continue;
    misspelt += terms.some((term) => close.has(term)) ? 1 : NEVER;
  }
  return misspelt;
}
