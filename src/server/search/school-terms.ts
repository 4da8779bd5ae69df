import { foldAccents, foldSearch, searchForms } from '../../contract/folding.ts';
import type { Match } from '../../contract/search.ts';
import { countryOf } from '../schools/queries.ts';
import type { SchoolRow } from './queries.ts';
import { findCloseTerms, rangeOfPrefix, type SortedTerms, sortTerms, typosAllowed } from './typos.ts';

/** A school in memory, with its texts in folded forms. */
export interface IndexedSchool {
  readonly id: number;
  readonly schoolName: string;
  readonly nameKey: string;
  readonly location: string;
  readonly country: string;
  /** Folded: without case and accents. */
  readonly countryKey: string;
  readonly aliases: readonly IndexedAlias[];
  readonly forms: readonly string[];
  /** The words of its name and aliases. */
  terms: readonly Term[];
  /** Its position in the list of all schools by name. */
  rank: number;
  reviewCount: number;
  halfStarSum: number;
}

/** A word, and the schools whose texts contain it. */
interface Term {
  readonly text: string;
  /** Its position in the sorted list of terms. */
  index: number;
  schools: IndexedSchool[];
}

interface IndexedAlias {
  readonly text: string;
  readonly forms: readonly string[];
}

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

const wordsOf = (forms: readonly string[]) => forms.flatMap((form) => form.split(' '));

/** Each word of the name and the aliases, once. */
function allWordsOf({ forms, aliases }: IndexedSchool): string[] {
  const words = new Set(wordsOf([...forms, ...aliases.flatMap((alias) => alias.forms)]));
  words.delete('');
  return [...words];
}

function readRow({ id, schoolName, nameKey, location, aliases }: SchoolRow): IndexedSchool {
  const texts: string[] = JSON.parse(aliases);
  const country = countryOf(location);
  return {
    ...{ id, schoolName, nameKey, location, country },
    countryKey: foldAccents(country),
    aliases: texts.map((text) => ({ text, forms: searchForms(text) })),
    forms: searchForms(schoolName),
    terms: [],
    ...{ rank: 0, reviewCount: 0, halfStarSum: 0 },
  };
}

function isUnchanged(school: IndexedSchool, row: SchoolRow): boolean {
  return (
    school.schoolName === row.schoolName &&
    school.location === row.location &&
    JSON.stringify(school.aliases.map(({ text }) => text)) === row.aliases
  );
}

const byName = (one: IndexedSchool, other: IndexedSchool) => {
  if (one.nameKey === other.nameKey) return one.id - other.id;
  return one.nameKey < other.nameKey ? -1 : 1;
};

/** How a school matches that has every word of the text without a typo. */
function matchOf({ aliases, forms }: IndexedSchool, text: string): Match {
  if (aliases.some((alias) => alias.forms.includes(text))) return 'alias';
  return forms[0]?.startsWith(text) || forms.includes(text) ? 'prefix' : 'word';
}

/** How many searched words are cached. */
const FOUND_WORDS_MAX = 300;

/** A typed word, with the terms that match it. */
interface TypedWord {
  /** The range of the sorted terms that begin with the word: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** The terms that begin with the word, apart from the allowed typos. */
  readonly close: ReadonlySet<Term>;
  /** The number of schools with these terms. A school with several terms counts once for each. */
  readonly schools: number;
}

/** How a school matches a word: exactly, or with typos. */
const EXACT = 2;
const MISSPELT = 1;
/** More misspelt words than can be typed: the school lacks one of the words. */
const NEVER = 1_000;

const isWritten = ({ from, to }: TypedWord, { terms }: IndexedSchool) =>
  terms.some(({ index }) => index >= from && index < to);

const isClosely = ({ close }: TypedWord, { terms }: IndexedSchool) => terms.some((term) => close.has(term));

/** The share of new terms from which they are sorted in: sorting each batch separately costs a second. */
const SORTED_AT = 1 / 4;

/** An index of the words in names and aliases. Words are found by their beginnings, with and without typos. */
export function createSchoolTerms(): SchoolTerms {
  const schools = new Map<number, IndexedSchool>();
  const byText = new Map<string, Term>();
  let sorted: SortedTerms = sortTerms([]);
  /** The matches of typed words, cached until there are new terms: "university" is in every other search. */
  const foundWords = new Map<string, TypedWord>();
  let added: string[] = [];
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

  function addTerm(text: string): Term {
    const term: Term = { text, index: -1, schools: [] };
    byText.set(text, term);
    added.push(text);
    return term;
  }

  function findWord(text: string): TypedWord {
    const known = foundWords.get(text);
    if (known) return known;
    if (foundWords.size >= FOUND_WORDS_MAX) foundWords.clear();
    const word = readWord(text);
    foundWords.set(text, word);
    return word;
  }

  function readWord(text: string): TypedWord {
    const close = new Set<Term>();
    let count = 0;
    const add = (index: number) => {
      const term = byText.get(sorted.texts[index] as string);
      if (!term || close.has(term)) return;
      close.add(term);
      count += term.schools.length;
    };
    const [from, to] = rangeOfPrefix(sorted, text);
    for (let index = from; index < to; index += 1) add(index);
    const typos = typosAllowed(text);
    if (typos > 0) findCloseTerms(sorted, text, typos, add);
    return { from, to, close, schools: count };
  }

  /** Sorts the terms of added schools in. */
  function sortAdded(): void {
    if (added.length === 0) return;
    // Sorting a list that is sorted apart from its end takes a fraction of the time.
    sorted = sortTerms([...sorted.texts, ...added.sort()]);
    for (const [index, text] of sorted.texts.entries()) (byText.get(text) as Term).index = index;
    added = [];
    foundWords.clear();
  }

  function readWords(text: string): TypedWord[] {
    sortAdded();
    return [...new Set(text.split(' '))].map(findWord);
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
      school.terms = allWordsOf(school).map((word) => byText.get(word) ?? addTerm(word));
      for (const term of school.terms) term.schools.push(school);
      if (added.length > sorted.texts.length * SORTED_AT) sortAdded();
      return school;
    },
    drop,
    all: () => inOrder ?? sortSchools(),
    readWords,
    forEachMatch(text, onMatch) {
      const words = readWords(text);
      if (words.some(({ close }) => close.size === 0)) return;
      const all = inOrder ?? sortSchools();
      // Starts with the rarest word: few schools have it, and the other words are compared only with those.
      const [rarest, ...others] = words.toSorted((one, other) => one.schools - other.schools);
      const marks = new Uint8Array(all.length);
      for (const { index, schools: having } of rarest?.close ?? []) {
        const isExact = index >= (rarest?.from ?? 0) && index < (rarest?.to ?? 0);
        for (const { rank } of having) marks[rank] = Math.max(marks[rank] as number, isExact ? EXACT : MISSPELT);
      }
      let fewest = words.length;
      let withTypos: IndexedSchool[] = [];
      for (let rank = 0; rank < all.length; rank += 1) {
        const mark = marks[rank];
        if (!mark) continue;
        const school = all[rank] as IndexedSchool;
        let misspelt = mark === EXACT ? 0 : 1;
        for (const word of others) {
          if (isWritten(word, school)) continue;
          misspelt += isClosely(word, school) ? 1 : NEVER;
        }
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

/** Whether a word begins with another one, apart from the allowed typos. */
function isClose(word: string, typed: string): boolean {
  if (word.startsWith(typed)) return true;
  let found = false;
  const typos = typosAllowed(typed);
  if (typos > 0) findCloseTerms(sortTerms([word]), typed, typos, () => (found = true));
  return found;
}

/** The alias by which a school was found; undefined when its name alone has every word. */
export function findAlias({ aliases, forms }: IndexedSchool, text: string, match: Match): string | undefined {
  if (match === 'prefix') return undefined;
  if (match === 'alias') return aliases.find((alias) => alias.forms.includes(text))?.text;
  const begins = match === 'word' ? (word: string, typed: string) => word.startsWith(typed) : isClose;
  const isIn = (typed: string, given: readonly string[]) => wordsOf(given).some((word) => begins(word, typed));
  const missing = text.split(' ').filter((typed) => !isIn(typed, forms));
  if (missing.length === 0) return undefined;
  return aliases.find((alias) => missing.some((typed) => isIn(typed, alias.forms)))?.text;
}

/** The folded text of a search; undefined when nothing is left to search for. */
export function readSearchText(q: string | undefined): string | undefined {
  return (q && foldSearch(q)) || undefined;
}
