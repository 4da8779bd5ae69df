import type { Term } from './indexed-school.ts';
import { findCloseTerms, rangeOfPrefix, type SortedTerms, sortTerms, typosAllowed } from './typos.ts';

/** How many searched words are cached. */
const FOUND_WORDS_MAX = 300;
/** The share of new terms from which they are sorted in: sorting each batch separately costs a second. */
const SORTED_AT = 1 / 4;

/** A typed word, with the terms that match it. */
export interface TypedWord {
  readonly text: string;
  /** The range of the sorted terms that begin with the word: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** The terms that begin with the word, apart from the allowed typos. */
  readonly close: ReadonlySet<Term>;
  /** The number of schools with these terms. A school with several terms counts once for each. */
  readonly schools: number;
}

interface Vocabulary {
  /** The term of a word, which is added if it is new. */
  termOf(word: string): Term;
  /** Sorts new terms in if they are many. Otherwise the next search does. */
  sortMany(): void;
  /** The words of a folded text, without duplicates, with the terms that match them. */
  readWords(text: string): TypedWord[];
}

/** All words of names and aliases. They are found by their beginnings, with and without typos. */
export function createVocabulary(): Vocabulary {
  const byText = new Map<string, Term>();
  let sorted: SortedTerms = sortTerms([]);
  /** The matches of typed words, cached until there are new terms: "university" is in every other search. */
  const foundWords = new Map<string, TypedWord>();
  let added: string[] = [];

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
    return { text, from, to, close, schools: count };
  }

  function sortAdded(): void {
    if (added.length === 0) return;
    // Sorting a list that is sorted apart from its end takes a fraction of the time.
    sorted = sortTerms([...sorted.texts, ...added.sort()]);
    for (const [index, text] of sorted.texts.entries()) (byText.get(text) as Term).index = index;
    added = [];
    foundWords.clear();
  }

  return {
    termOf: (word) => byText.get(word) ?? addTerm(word),
    sortMany() {
      if (added.length > sorted.texts.length * SORTED_AT) sortAdded();
    },
    readWords(text) {
      sortAdded();
      return [...new Set(text.split(' '))].map(findWord);
    },
  };
}
