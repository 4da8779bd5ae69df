import type { Match } from '../../../contract/search.ts';
import {
  type AskedWord,
  giveBits,
  MISSPELT,
  markSchools,
  markTerms,
  ONE_TYPO,
  TWO_TYPOS,
  TYPED,
} from './asked-words.ts';
import type { IndexedSchool, Term } from './indexed-school.ts';
import type { SchoolLayout } from './school-layout.ts';
import { isLittle, significantOf, synonymsOf, wordsOf } from './search-words.ts';
import { countBits } from './typos.ts';
import type { TypedWord } from './vocabulary.ts';

/** The schools that match a text. */
export interface TextMatches {
  /**
   * Calls back for each school that has every word, in the order of names. The results are to be sorted by the kind of
   * match, and within a kind by `order`, the lowest first.
   */
  forEach(onMatch: OnMatch): void;
  /** The same for schools that match at least half of the text but not all of it: its rarest known word included. */
  forEachClose(onMatch: OnMatch): void;
  /** The alias by which a school was found; undefined when its name alone has every matching word. */
  aliasOf(school: IndexedSchool, match: Match): string | undefined;
}

type OnMatch = (rank: number, match: Match, order: number) => void;

/**
 * How many values of `order` each number of wrong letters has. A name with fewer wrong letters comes first; among equal
 * ones, a name with fewer words that were not typed.
 */
const ORDERS_OF_ONE_LETTER = 32;

/** No term. */
const NONE = -1;
/** The school lacks one of the words. */
const NO_MATCH = -1;

/**
 * Compares a text with all schools.
 * @param text folded
 * @param words of the text
 * @param onCompared is called with the number of schools that were compared
 */
export function createTextMatches(
  text: string,
  words: readonly TypedWord[],
  layout: SchoolLayout,
  onCompared: (comparisons: number) => void,
): TextMatches {
  const { schools, terms, termsOf, formStarts, aliasStarts, wordsOf: wordsOfForms } = layout;
  const { firstTerms, hasOtherForms, placeOf } = layout;
  const asked = giveBits(words, layout);
  // The rarest word first: only the schools that have it are compared with the other words, and most of these lack the
  // next.
  const rarestFirst = asked.toSorted((one, other) => countCandidates(one) - countCandidates(other));
  const misspeltPlaces = asked.filter(({ word, places }) => places !== undefined && word.misspelt.length > 0);
  const marks = markTerms(asked, terms.length);
  const typed = significantOf(wordsOf(text), isLittle);
  const isOfLittleWords = typed.every(isLittle);

  /** The marks of all terms of a school. */
  function marksOf(rank: number): number {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    let found = 0;
    for (let at = starts[rank] as number; at < end; at += 1) found |= marks[values[at] as number] as number;
    return found;
  }

  /** Whether a term of a school begins with a word, or means the same. */
  function hasExactly(rank: number, { from, to, synonyms }: TypedWord): boolean {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    for (let at = starts[rank] as number; at < end; at += 1) {
      const index = values[at] as number;
      if (index >= from && index < to) return true;
      if (synonyms.length > 0 && synonyms.some((term) => term.index === index)) return true;
    }
    return false;
  }

  const isPlaced = (rank: number, { places }: AskedWord) => places?.has(placeOf[rank] as number) ?? false;

  /** Whether a word is in a school's names, given the marks of its terms. */
  const isInNames = (rank: number, found: number, { word, bit }: AskedWord) =>
    bit === 0 ? hasExactly(rank, word) : (found & bit) !== 0;

  /**
   * How many letters of the text are wrong for a school; `NO_MATCH` if it lacks a word. Words may name its place, but
   * at least one must be in its names.
   */
  function compareWords(rank: number): number {
    const found = marksOf(rank);
    let inNames = 0;
    for (const one of rarestFirst) {
      if (isInNames(rank, found, one)) inNames += 1;
      else if (!isPlaced(rank, one)) return NO_MATCH;
    }
    return inNames === 0 ? NO_MATCH : countWrongLetters(rank, found);
  }

  /** How many letters are wrong in the words that some term matches, given the marks of all terms. */
  function countWrongLetters(rank: number, found: number): number {
    const judged = withoutPlaced(rank, found);
    const present = (judged >> TWO_TYPOS) & MISSPELT;
    return countBits(present & ~judged) + countBits(present & ~(judged >> ONE_TYPO));
  }

  /**
   * The marks without those of words that name the place of a school and only resemble its names: "taiwan" is right for
   * a college of Tainan. One word must be in the names: if there is no other, the resemblance counts.
   */
  function withoutPlaced(rank: number, found: number): number {
    let left = found;
    for (const one of misspeltPlaces) if ((left & one.exactBit) === 0 && isPlaced(rank, one)) left &= ~one.bit;
    return left === found || asked.some((one) => isInNames(rank, left, one)) ? left : found;
  }

  /** The kind of match of a school that has every word of the text without a typo. */
  function matchOf(rank: number): Match {
    const last = formStarts[rank + 1] as number;
    for (let form = aliasStarts[rank] as number; form < last; form += 1) if (isTypedForm(form)) return 'alias';
    if (!canBegin(rank)) return 'word';
    const isOneWord = text === words[0]?.text && hasOtherForms[rank] === 0;
    if (isOneWord && isBegunBy(firstTerms[rank] as number, words[0])) return 'prefix';
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
    if (!isBegunBy(first, one)) return terms[first]?.isLittle ?? false;
    if (typed.length < 3 || !two || typed[0] === typed[1]) return true;
    const { starts, values } = wordsOfForms;
    const start = starts[formStarts[rank] as number] as number;
    return isBegunBy(values[start + 1] ?? NONE, two);
  }

  const isBegunBy = (index: number, word: TypedWord | undefined) =>
    word !== undefined && index >= word.from && index < word.to;

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
   * layout leaves little words out, so of a text of little words alone each name counts as one that has some.
   */
  function countUntyped(rank: number): number {
    const { starts, values } = wordsOfForms;
    const last = formStarts[rank + 1] as number;
    const nameEnd = isOfLittleWords ? (aliasStarts[rank] as number) : 0;
    let fewest = ORDERS_OF_ONE_LETTER - 1;
    for (let form = formStarts[rank] as number; form < last; form += 1) {
      const end = starts[form + 1] as number;
      let untyped = 0;
      let found = 0;
      for (let at = starts[form] as number; at < end; at += 1) {
        const mark = marks[values[at] as number] as number;
        found |= mark;
        if ((mark & TYPED) === 0) untyped += 1;
      }
      if ((found !== 0 || form < nameEnd) && untyped < fewest) fewest = untyped;
    }
    return fewest;
  }

  const orderOf = (rank: number, wrong: number) => wrong * ORDERS_OF_ONE_LETTER + countUntyped(rank);

  /** Calls back for the schools that have one of some words, or with `withPlaces` are at a place of that name. */
  function forCandidates(given: readonly AskedWord[], withPlaces: boolean, onCandidate: (rank: number) => void): void {
    const candidates = new Uint8Array(schools.length);
    for (const { word, places } of given) {
      markSchools(word, layout.schoolsOf, candidates);
      if (!withPlaces || !places) continue;
      for (let rank = 0; rank < schools.length; rank += 1)
        if (places.has(placeOf[rank] as number)) candidates[rank] = 1;
    }
    let compared = 0;
    for (let rank = 0; rank < schools.length; rank += 1) {
      if (candidates[rank] === 0) continue;
      compared += 1;
      onCandidate(rank);
    }
    onCompared(compared + given.reduce((sum, { word }) => sum + word.schoolCount, 0));
  }

  return {
    forEach(onMatch) {
      const [rarest] = rarestFirst;
      if (!rarest || countCandidates(rarest) === 0) return;
      forCandidates([rarest], true, (rank) => {
        const wrong = compareWords(rank);
        if (wrong === NO_MATCH) return;
        onMatch(rank, wrong === 0 ? matchOf(rank) : 'typo', orderOf(rank, wrong));
      });
    },
    forEachClose(onMatch) {
      const named = asked.filter(({ word }) => word.schoolCount > 0);
      const all = asked.reduce((sum, { weight }) => sum + weight, 0);
      const unknown = asked.filter(({ word, places }) => word.schoolCount === 0 && !places);
      const unknownWeight = unknown.reduce((sum, { weight }) => sum + weight, 0);
      if (unknownWeight > all / 2) return;
      const heaviestFirst = asked
        .filter((one) => !unknown.includes(one))
        .toSorted((one, other) => other.weight - one.weight);
      const highestWeight = Math.max(...named.map(({ weight }) => weight));
      const rarest = named.filter(({ weight }) => weight === highestWeight);
      forCandidates(rarest, false, (rank) => {
        const found = marksOf(rank);
        let lacking = unknownWeight;
        for (const one of heaviestFirst) {
          if (!isInNames(rank, found, one) && !isPlaced(rank, one)) lacking += one.weight;
          if (lacking > all / 2) return;
        }
        if (lacking > 0) onMatch(rank, 'close', orderOf(rank, countWrongLetters(rank, found)));
      });
    },
    aliasOf({ name, aliases }, match) {
      if (match === 'prefix' || aliases.length === 0) return undefined;
      const termsIn = ({ forms }: typeof name) => [...new Set(forms.flatMap((form) => form.words))];
      const isIn = ({ from, to, synonyms, misspelt: close }: TypedWord, given: readonly Term[]) =>
        given.some(
          (term) =>
            (term.index >= from && term.index < to) ||
            synonyms.includes(term) ||
            ((match === 'typo' || match === 'close') && close.includes(term)),
        );
      if (match === 'alias')
        return aliases.find((alias) => alias.forms.some((form) => areTypedWords(form.words)))?.text;
      const own = termsIn(name);
      const missing = words.filter((word) => !isIn(word, own));
      if (missing.length === 0) return undefined;
      return aliases.find((alias) => missing.some((word) => isIn(word, termsIn(alias))))?.text;
    },
  };

  function areTypedWords(given: readonly Term[]): boolean {
    const significant = significantOf(given, (term) => term.isLittle);
    return significant.length === typed.length && typed.every((word, at) => isSameWord(word, significant[at] as Term));
  }

  function countCandidates({ word, schoolsPlaced }: AskedWord): number {
    return word.schoolCount + schoolsPlaced;
  }
}
