import { LRUCache } from 'lru-cache';
import type { Term } from './indexed-school.ts';
import { abbreviationsOf, expansionsOf, isStopWord, significantOf, synonymsOf, wordsOf } from './search-words.ts';
import { findCloseTerms, isClose, rangeOfPrefix, type SortedTerms, sortTerms, typosAllowed } from './typos.ts';

/** How many words of a text may match with typos: the longest ones. The others must be spelled right. */
export const TYPO_WORDS_MAX = 6;
/** How many typed words are cached with the terms that they match. */
const CACHED_WORDS_MAX = 300;
/**
 * New terms are merged once they are more than this share of the sorted ones. Sorting each batch would cost a second.
 */
const SORT_FROM_SHARE = 1 / 4;

/** A typed word, with the terms that match it. */
export interface TypedWord {
  readonly text: string;
  /** The range of the sorted terms that begin with the word: `from` is included, `to` is not. */
  readonly from: number;
  readonly to: number;
  /** Abbreviations and words in full that mean the same as a term of the range: "st" for "saint". */
  readonly synonyms: readonly Term[];
  /** The other terms that begin with the word if some typos are allowed, those with one typo first. */
  readonly misspelt: readonly Term[];
  /** How many of `misspelt` have one typo. The rest have two. */
  readonly oneTypoCount: number;
  /** How many schools have a matching term. A school with several of them counts once for each. */
  readonly schoolCount: number;
  /** How many schools have the word itself or a synonym. If none has, the same as `schoolCount`. */
  readonly frequency: number;
}

/** All words of names and aliases. They are found by their prefixes, with and without typos. */
export function createVocabulary() {
  const byText = new Map<string, Term>();
  let sorted: SortedTerms = sortTerms([]);
  let terms: readonly Term[] = [];
  /** The matches of typed words, cached until schools change: "university" is in every other search. */
  const cachedWords = new LRUCache<string, TypedWord>({ max: CACHED_WORDS_MAX });
  let added: string[] = [];
  let comparisons = 0;

  function addTerm(text: string): Term {
    const term: Term = { text, isStopWord: isStopWord(text), index: -1, schoolCount: 0 };
    byText.set(text, term);
    added.push(text);
    return term;
  }

  function matchCached(text: string, typos: number): TypedWord {
    const key = `${typos} ${text}`;
    const word = cachedWords.get(key) ?? matchWord(text, typos);
    cachedWords.set(key, word);
    return word;
  }

  function matchWord(text: string, typos: number): TypedWord {
    const [from, to] = rangeOfPrefix(sorted, text);
    const isOther = ({ index }: Term) => index < from || index >= to;
    const synonyms = findSynonyms(text).filter(isOther);
    const close = new Set<Term>();
    let oneTypoCount = 0;
    const add = (term: Term) => isOther(term) && !synonyms.includes(term) && close.add(term);
    for (let allowed = 1; allowed <= typos; allowed += 1) {
      comparisons += findCloseTerms(sorted, text, allowed, (index) => add(terms[index] as Term));
      for (const term of findAbbreviations((word) => isClose(word, text, allowed))) add(term);
      if (allowed === 1) oneTypoCount = close.size;
    }
    const misspelt = [...close];
    const own = [...terms.slice(from, to), ...synonyms];
    const schoolCount = sumSchools(own) + sumSchools(misspelt);
    comparisons += own.length + misspelt.length;
    const exactCount = sumSchools(synonymsOf(text).flatMap((word) => byText.get(word) ?? []));
    const frequency = exactCount || sumSchools(own) || schoolCount;
    return { text, from, to, synonyms, misspelt, oneTypoCount, schoolCount, frequency };
  }

  const sumSchools = (given: readonly Term[]) => given.reduce((sum, term) => sum + term.schoolCount, 0);

  /** The terms that are abbreviations of words of some kind. */
  const findAbbreviations = (isMeant: (word: string) => boolean) =>
    abbreviationsOf(isMeant).flatMap((abbreviation) => byText.get(abbreviation) ?? []);

  /** The terms that an abbreviation stands for, and the abbreviations of words that begin with the text. */
  function findSynonyms(text: string): Term[] {
    const inFull = expansionsOf(text).flatMap((word) => terms.slice(...rangeOfPrefix(sorted, word)));
    return [...new Set([...inFull, ...findAbbreviations((word) => word.startsWith(text))])];
  }

  /** All terms, sorted in steps, each of which ends with a `yield`. The same list until there are new terms. */
  function* sortInSteps(): Generator<void, readonly Term[]> {
    if (added.length === 0) return terms;
    // Sorting a list that is sorted apart from its end takes a fraction of the time.
    const texts = [...sorted.texts, ...added.sort()].sort();
    yield;
    const next = sortTerms(texts);
    yield;
    sorted = next;
    terms = texts.map((text, index) => {
      const term = byText.get(text) as Term;
      term.index = index;
      return term;
    });
    added = [];
    return terms;
  }

  function sortAdded(): void {
    for (const _step of sortInSteps());
  }

  return {
    sortInSteps,
    /** How many letters and terms have been compared so far. */
    get comparisons(): number {
      return comparisons;
    },
    /** The term of a word, which is added if it is new. */
    termOf: (word: string) => byText.get(word) ?? addTerm(word),
    /** Sorts new terms in if there are many. Otherwise the next search does it. */
    sortIfMany(): void {
      if (added.length > sorted.texts.length * SORT_FROM_SHARE) sortAdded();
    },
    /** Clears the cache of typed words, because schools have changed. */
    clearCache: () => cachedWords.clear(),
    /** The significant words of a folded text, each once, with the terms that match them. */
    matchWords(text: string): TypedWord[] {
      sortAdded();
      const words = [...new Set(significantOf(wordsOf(text), isStopWord))];
      const longestFirst = words.toSorted((one, other) => other.length - one.length);
      const withTypos = new Set(longestFirst.slice(0, TYPO_WORDS_MAX));
      return words.map((word) => matchCached(word, withTypos.has(word) ? typosAllowed(word) : 0));
    },
  };
}
