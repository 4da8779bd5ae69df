import { foldAccents, foldSearch, searchForms } from '../../contract/folding.ts';
import type { Match } from '../../contract/search.ts';
import { countryOf } from '../schools/queries.ts';
import type { SchoolRow } from './queries.ts';
import { findCloseTerms, rangeOfPrefix, type SortedTerms, sortTerms, typosAllowed } from './typos.ts';

/** A school in memory, with its texts as the search compares them. */
export interface IndexedSchool {
  readonly id: number;
  readonly schoolName: string;
  readonly nameKey: string;
  readonly location: string;
  readonly country: string;
  /** Without case and accents. */
  readonly countryKey: string;
  readonly aliases: readonly IndexedAlias[];
  readonly forms: readonly string[];
  /** The words in its name and aliases. */
  terms: readonly Term[];
  /** Its place among all schools by name. */
  rank: number;
  reviewCount: number;
  halfStarSum: number;
}

/** A word, and the schools that have it. */
interface Term {
  readonly text: string;
  schools: IndexedSchool[];
}

interface IndexedAlias {
  readonly text: string;
  readonly forms: readonly string[];
}

interface SchoolTerms {
  readonly size: number;
  ids(): Iterable<number>;
  /** Adds or replaces a school; one that has not changed stays as it is. */
  put(row: SchoolRow): IndexedSchool;
  drop(id: number): void;
  /** Takes the terms of the schools added since the last time into the order of terms. */
  sortTerms(): void;
  /** All schools by name. */
  all(): readonly IndexedSchool[];
  /**
   * Calls back for each school that matches a folded text, those of one kind of match by name. Of those with typos only
   * those with the fewest misspelt words: "Lane Colllge" is Lane College, and not Lake College too.
   */
  forEachMatch(text: string, onMatch: (school: IndexedSchool, match: Match) => void): void;
}

const wordsOf = (forms: readonly string[]) => forms.flatMap((form) => form.split(' '));

/** Each word in the name and the aliases, once. */
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

/** How a school matches that has every word without a typo. */
function matchOf({ aliases, forms }: IndexedSchool, text: string): Match {
  if (aliases.some((alias) => alias.forms.includes(text))) return 'alias';
  return forms[0]?.startsWith(text) || forms.includes(text) ? 'prefix' : 'word';
}

/** Words of searches that are remembered. */
const READ_WORDS_MAX = 300;

/** A word as it is typed, and the terms that it may stand for. */
interface TypedWord {
  readonly text: string;
  /** Those that begin with it but for the typos allowed. */
  readonly close: ReadonlySet<Term>;
}

const countSchools = ({ close }: TypedWord) => {
  let count = 0;
  for (const { schools } of close) count += schools.length;
  return count;
};

/** An index of the words in names and aliases. Words of schools are found by their beginnings, with and without typos. */
export function createSchoolTerms(): SchoolTerms {
  const schools = new Map<number, IndexedSchool>();
  const byText = new Map<string, Term>();
  let sorted: SortedTerms = sortTerms([]);
  /** What typed words may stand for, cached until there are new terms: "university" is in every other search. */
  const readWords = new Map<string, TypedWord>();
  let added: string[] = [];
  /** Undefined: to be sorted before the next search. */
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
    const term = { text, schools: [] };
    byText.set(text, term);
    added.push(text);
    return term;
  }

  function findWord(text: string): TypedWord {
    const known = readWords.get(text);
    if (known) return known;
    if (readWords.size >= READ_WORDS_MAX) readWords.clear();
    const word = readWord(text);
    readWords.set(text, word);
    return word;
  }

  function readWord(text: string): TypedWord {
    const close = new Set<Term>();
    const add = (index: number) => {
      const term = byText.get(sorted.texts[index] as string);
      if (term) close.add(term);
    };
    const [from, to] = rangeOfPrefix(sorted, text);
    for (let index = from; index < to; index += 1) add(index);
    const typos = typosAllowed(text);
    if (typos > 0) findCloseTerms(sorted, text, typos, add);
    return { text, close };
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
      return school;
    },
    drop,
    sortTerms() {
      if (added.length === 0) return;
      // Sorting what is in order already but for its end takes a fraction of sorting anew.
      sorted = sortTerms([...sorted.texts, ...added.sort()]);
      added = [];
      readWords.clear();
    },
    all: () => inOrder ?? sortSchools(),
    forEachMatch(text, onMatch) {
      const all = inOrder ?? sortSchools();
      const words: TypedWord[] = [];
      for (const word of new Set(text.split(' '))) {
        const read = findWord(word);
        if (read.close.size === 0) return;
        words.push(read);
      }
      // The schools of the rarest word are few, and each has few words to be compared with the others.
      const [rarest] = words.toSorted((one, other) => countSchools(one) - countSchools(other));
      const isCandidate = new Uint8Array(all.length);
      for (const term of rarest?.close ?? []) for (const { rank } of term.schools) isCandidate[rank] = 1;
      let fewest = words.length;
      let withTypos: IndexedSchool[] = [];
      for (const school of all) {
        if (isCandidate[school.rank] === 0) continue;
        const misspelt = words.filter(({ text: word }) => !school.terms.some((term) => term.text.startsWith(word)));
        if (misspelt.length === 0) onMatch(school, matchOf(school, text));
        else if (
          misspelt.length <= fewest &&
          misspelt.every(({ close }) => school.terms.some((term) => close.has(term)))
        ) {
          if (misspelt.length < fewest) withTypos = [];
          fewest = misspelt.length;
          withTypos.push(school);
        }
      }
      for (const school of withTypos) onMatch(school, 'typo');
    },
  };
}

/** Whether a word begins with another but for the typos that are allowed in it. */
function isClose(word: string, typed: string): boolean {
  if (word.startsWith(typed)) return true;
  let found = false;
  const typos = typosAllowed(typed);
  if (typos > 0) findCloseTerms(sortTerms([word]), typed, typos, () => (found = true));
  return found;
}

/** The alias that a school was found by; undefined when its name alone has every word. */
export function findAlias({ aliases, forms }: IndexedSchool, text: string, match: Match): string | undefined {
  if (match === 'prefix') return undefined;
  if (match === 'alias') return aliases.find((alias) => alias.forms.includes(text))?.text;
  const begins = match === 'word' ? (word: string, typed: string) => word.startsWith(typed) : isClose;
  const isIn = (typed: string, given: readonly string[]) => wordsOf(given).some((word) => begins(word, typed));
  const missing = text.split(' ').filter((typed) => !isIn(typed, forms));
  if (missing.length === 0) return undefined;
  return aliases.find((alias) => missing.some((typed) => isIn(typed, alias.forms)))?.text;
}

/** A text of the query as it is compared; undefined when nothing is left to search for. */
export function readSearchText(q: string | undefined): string | undefined {
  return (q && foldSearch(q)) || undefined;
}
