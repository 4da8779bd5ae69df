import { LRUCache } from 'lru-cache';
import type { Term } from './indexed-school.ts';
import { findCloseTerms, rangeOfPrefix, type SortedTerms, sortTerms, typosAllowed } from './typos.ts';

/** How many words of a text are compared with typos: the longest. Further ones must begin a term as they are typed. */
export const TYPO_WORDS_MAX = 6;
/** How many typed words are cached with the terms that they match. */
const FOUND_WORDS_MAX = 300;
/** The share of new terms from which they are sorted in: sorting each batch separately costs a second. */
const SORTED_AT = 1 / 4;

/** A typed word, with the terms that match it. */
export interface TypedWord {
  readonly text: string;
  /** The range of the sorted terms that begin with the word: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** The other terms that begin with the word apart from the allowed typos. */
  readonly misspelt: readonly Term[];
  /** The number of schools with a matching term. A school with several of them counts once for each. */
  readonly schools: number;
}

interface Vocabulary {
  /** All terms, sorted. The same list until there are new terms. */
  inOrder(): readonly Term[];
  /** How many letters and terms have been compared so far. */
  readonly comparisons: number;
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
  let terms: readonly Term[] = [];
  /** The matches of typed words, cached until there are new terms: "university" is in every other search. */
  const foundWords = new LRUCache<string, TypedWord>({ max: FOUND_WORDS_MAX });
  let added: string[] = [];
  let comparisons = 0;

  function addTerm(text: string): Term {
    const term: Term = { text, index: -1, schools: [] };
    byText.set(text, term);
    added.push(text);
    return term;
  }

  function findWord(text: string, typos: number): TypedWord {
    const key = `${typos} ${text}`;
    const word = foundWords.get(key) ?? readWord(text, typos);
    foundWords.set(key, word);
    return word;
  }

  function readWord(text: string, typos: number): TypedWord {
    const [from, to] = rangeOfPrefix(sorted, text);
    const misspelt: Term[] = [];
    if (typos > 0) {
      comparisons += findCloseTerms(sorted, text, typos, (index) => {
        if (index < from || index >= to) misspelt.push(terms[index] as Term);
      });
    }
    let schools = 0;
    for (let index = from; index < to; index += 1) schools += (terms[index] as Term).schools.length;
    for (const term of misspelt) schools += term.schools.length;
    comparisons += to - from + misspelt.length;
    return { text, from, to, misspelt, schools };
  }

  function sortAdded(): void {
    if (added.length === 0) return;
    // Sorting a list that is sorted apart from its end takes a fraction of the time.
    sorted = sortTerms([...sorted.texts, ...added.sort()]);
    terms = sorted.texts.map((text) => byText.get(text) as Term);
    for (const [index, term] of terms.entries()) term.index = index;
    added = [];
    foundWords.clear();
  }

  return {
    inOrder() {
      sortAdded();
      return terms;
    },
    get comparisons() {
      return comparisons;
    },
    termOf: (word) => byText.get(word) ?? addTerm(word),
    sortMany() {
      if (added.length > sorted.texts.length * SORTED_AT) sortAdded();
    },
    readWords(text) {
      sortAdded();
      const words = [...new Set(text.split(' '))];
      const longestFirst = words.toSorted((one, other) => other.length - one.length);
      const withTypos = new Set(longestFirst.slice(0, TYPO_WORDS_MAX));
      return words.map((word) => findWord(word, withTypos.has(word) ? typosAllowed(word) : 0));
    },
  };
}
