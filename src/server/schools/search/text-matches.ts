import type { Match } from '../../../contract/search.ts';
import type { IndexedSchool, IndexedText, Term } from './indexed-school.ts';
import {
  addCandidates,
  createQueryWords,
  createTermMasks,
  ONE_TYPO_SHIFT,
  type QueryWord,
  TWO_TYPOS_SHIFT,
  TYPED_BIT,
  TYPO_WORDS_MASK,
} from './query-words.ts';
import type { SchoolLayout } from './school-layout.ts';
import { isStopWord, significantOf, synonymsOf, wordsOf } from './search-words.ts';
import { countBits } from './typos.ts';
import type { TypedWord } from './vocabulary.ts';

type OnMatch = (rank: number, match: Match, order: number) => void;

/**
 * How many values of `order` each number of wrong letters has. A name with fewer wrong letters comes first; among equal
 * ones, a name with fewer words that were not typed.
 */
const ORDERS_OF_ONE_LETTER = 32;

/** The index of no term. */
const NO_TERM = -1;
/** The school lacks one of the words. */
const NO_MATCH = -1;

/**
 * Compares a text with all schools.
 * @param text folded
 * @param typedWords the words of the text
 * @param onCompared is called with the number of schools that were compared
 */
export function createTextMatches(
  text: string,
  typedWords: readonly TypedWord[],
  layout: SchoolLayout,
  onCompared: (comparisons: number) => void,
) {
  const { schools, terms, termsOf, formStarts, aliasStarts, wordsOfForms, joinedWords } = layout;
  const { firstTerms, hasOtherForms, placeOf } = layout;
  const words = createQueryWords(typedWords, layout);
  // The rarest word first: only the schools that have it are compared with the other words, and most of these lack the
  // next.
  const rarestFirst = words.toSorted((one, other) => one.candidateCount - other.candidateCount);
  const misspeltPlaces = words.filter(({ places, misspelt }) => places !== undefined && misspelt.length > 0);
  const masks = createTermMasks(words, terms.length);
  const typed = significantOf(wordsOf(text), isStopWord);
  const isOfStopWords = typed.every(isStopWord);

  /** The masks of all terms of a school together. */
  function maskOf(rank: number): number {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    let mask = 0;
    for (let at = starts[rank] as number; at < end; at += 1) mask |= masks[values[at] as number] as number;
    return mask;
  }

  const beginsWith = (term: number, { from, to }: TypedWord) => term >= from && term < to;

  /** Whether a term of a school begins with a word, or means the same. */
  function hasExactly(rank: number, word: TypedWord): boolean {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    for (let at = starts[rank] as number; at < end; at += 1) {
      const term = values[at] as number;
      if (beginsWith(term, word) || word.synonyms.some(({ index }) => index === term)) return true;
    }
    return false;
  }

  const isPlaced = (rank: number, { places }: QueryWord) => places?.has(placeOf[rank] as number) ?? false;

  /** Whether a word is in a school's names. @param mask of the school */
  const isInNames = (rank: number, mask: number, word: QueryWord) =>
    word.bit === 0 ? hasExactly(rank, word) : (mask & word.bit) !== 0;

  /**
   * How many letters of the text are wrong for a school; `NO_MATCH` if it lacks a word. Words may name its place, but
   * at least one must be in its names.
   */
  function compareWords(rank: number): number {
    const mask = maskOf(rank);
    let inNames = 0;
    for (const word of rarestFirst) {
      if (isInNames(rank, mask, word)) inNames += 1;
      else if (!isPlaced(rank, word)) return NO_MATCH;
    }
    return inNames === 0 ? NO_MATCH : countWrongLetters(rank, mask);
  }

  /** How many letters are wrong in the words that are in a school's names. @param mask of the school */
  function countWrongLetters(rank: number, mask: number): number {
    const judged = withoutPlaced(rank, mask);
    const present = (judged >> TWO_TYPOS_SHIFT) & TYPO_WORDS_MASK;
    return countBits(present & ~judged) + countBits(present & ~(judged >> ONE_TYPO_SHIFT));
  }

  /**
   * The mask without the bits of words that name the place of a school and only resemble its names: "taiwan" is right
   * for a college of Tainan. One word must be in the names: if there is no other, the resemblance counts.
   */
  function withoutPlaced(rank: number, mask: number): number {
    let left = mask;
    for (const word of misspeltPlaces) if ((left & word.exactBit) === 0 && isPlaced(rank, word)) left &= ~word.bit;
    return left === mask || words.some((word) => isInNames(rank, left, word)) ? left : mask;
  }

  /** The kind of match of a school that has every word of the text without a typo. */
  function matchOf(rank: number): Match {
    const last = formStarts[rank + 1] as number;
    for (let form = aliasStarts[rank] as number; form < last; form += 1) if (isTypedForm(form)) return 'alias';
    if (!canBegin(rank)) return 'word';
    const [first] = words;
    const isOneWord = text === first?.text && hasOtherForms[rank] === 0;
    if (isOneWord && beginsWith(firstTerms[rank] as number, first)) return 'prefix';
    const { name } = schools[rank] as IndexedSchool;
    return name.forms[0]?.folded.startsWith(text) || name.forms.some(({ folded }) => folded === text)
      ? 'prefix'
      : 'word';
  }

  /**
   * Whether a name may begin with the text, judged by its first words: so the texts of most schools need not be read.
   */
  function canBegin(rank: number): boolean {
    if (hasOtherForms[rank] === 1) return true;
    const first = firstTerms[rank] as number;
    const [one, two] = words;
    if (!one || !beginsWith(first, one)) return terms[first]?.isStopWord ?? false;
    if (typed.length < 3 || !two || typed[0] === typed[1]) return true;
    const { starts, values } = wordsOfForms;
    const start = starts[formStarts[rank] as number] as number;
    return beginsWith(values[start + 1] ?? NO_TERM, two);
  }

  /** Whether a term is a word of the text, or a synonym. An alias of one word, such as "UNI", stands for itself. */
  const isSameWord = (word: string, term: Term) =>
    word === term.text || (typed.length > 1 && synonymsOf(word).includes(term.text));

  function isTypedForm(form: number): boolean {
    const { starts, values } = wordsOfForms;
    const start = starts[form] as number;
    if ((starts[form + 1] as number) - start !== typed.length) return false;
    return typed.every((word, at) => isSameWord(word, terms[values[start + at] as number] as Term));
  }

  /**
   * How many words of a school's name or alias were not typed: the smallest number, among those with any typed word. The
   * layout leaves stop words out, so of a text of stop words alone each name counts as one that has some.
   */
  function countUntyped(rank: number): number {
    const { starts, values } = wordsOfForms;
    const last = formStarts[rank + 1] as number;
    const nameEnd = isOfStopWords ? (aliasStarts[rank] as number) : 0;
    let fewest = ORDERS_OF_ONE_LETTER - 1;
    for (let form = formStarts[rank] as number; form < last; form += 1) {
      const end = starts[form + 1] as number;
      let untyped = joinedWords[form] as number;
      let mask = 0;
      for (let at = starts[form] as number; at < end; at += 1) {
        const maskOfTerm = masks[values[at] as number] as number;
        mask |= maskOfTerm;
        if ((maskOfTerm & TYPED_BIT) === 0) untyped += 1;
      }
      if ((mask !== 0 || form < nameEnd) && untyped < fewest) fewest = untyped;
    }
    return fewest;
  }

  const orderOf = (rank: number, wrong: number) => wrong * ORDERS_OF_ONE_LETTER + countUntyped(rank);

  /** Calls back for the schools that have one of some words, or with `withPlaces` are at a place of that name. */
  function forCandidates(given: readonly QueryWord[], withPlaces: boolean, onCandidate: (rank: number) => void): void {
    const candidates = new Uint8Array(schools.length);
    for (const word of given) {
      addCandidates(word, layout.schoolsOf, candidates);
      if (!withPlaces || !word.places) continue;
      for (let rank = 0; rank < schools.length; rank += 1) if (isPlaced(rank, word)) candidates[rank] = 1;
    }
    let compared = 0;
    for (let rank = 0; rank < schools.length; rank += 1) {
      if (candidates[rank] === 0) continue;
      compared += 1;
      onCandidate(rank);
    }
    onCompared(compared + sum(given, ({ schoolCount }) => schoolCount));
  }

  return {
    /**
     * Calls back for each school that has every word, in the order of names. The results are to be sorted by the kind of
     * match, and within a kind by `order`, the lowest first.
     */
    forEach(onMatch: OnMatch): void {
      const [rarest] = rarestFirst;
      if (!rarest || rarest.candidateCount === 0) return;
      forCandidates([rarest], true, (rank) => {
        const wrong = compareWords(rank);
        if (wrong === NO_MATCH) return;
        onMatch(rank, wrong === 0 ? matchOf(rank) : 'typo', orderOf(rank, wrong));
      });
    },
    /**
     * Like `forEach`, for schools that match at least half of the text, with its rarest known word, but not all of it.
     */
    forEachClose(onMatch: OnMatch): void {
      const isUnknown = ({ schoolCount, places }: QueryWord) => schoolCount === 0 && !places;
      const lackingMax = sum(words, ({ weight }) => weight) / 2;
      const unknownWeight = sum(words.filter(isUnknown), ({ weight }) => weight);
      if (unknownWeight > lackingMax) return;
      const heaviestFirst = words
        .filter((word) => !isUnknown(word))
        .toSorted((one, other) => other.weight - one.weight);
      const named = heaviestFirst.filter(({ schoolCount }) => schoolCount > 0);
      const rarest = named.filter(({ weight }) => weight === named[0]?.weight);
      forCandidates(rarest, false, (rank) => {
        const mask = maskOf(rank);
        let lacking = unknownWeight;
        for (const word of heaviestFirst) {
          if (!isInNames(rank, mask, word) && !isPlaced(rank, word)) lacking += word.weight;
          if (lacking > lackingMax) return;
        }
        if (lacking > 0) onMatch(rank, 'close', orderOf(rank, countWrongLetters(rank, mask)));
      });
    },
    /** The alias by which a school was found; undefined when its name alone has every matching word. */
    aliasOf({ name, aliases, rank }: IndexedSchool, match: Match): string | undefined {
      if (match === 'prefix' || aliases.length === 0) return undefined;
      if (match === 'alias') {
        const first = aliasStarts[rank] as number;
        const texts = aliases.flatMap((alias) => alias.forms.map(() => alias.text));
        return texts.find((_, position) => isTypedForm(first + position));
      }
      const mayHaveTypos = match === 'typo' || match === 'close';
      const isWordOf = ({ forms }: IndexedText, word: TypedWord) =>
        forms.some((form) =>
          form.words.some(
            (term) =>
              beginsWith(term.index, word) ||
              word.synonyms.includes(term) ||
              (mayHaveTypos && word.misspelt.includes(term)),
          ),
        );
      const missing = words.filter((word) => !isWordOf(name, word));
      return aliases.find((alias) => missing.some((word) => isWordOf(alias, word)))?.text;
    },
  };
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
