import type { Match } from '../../../contract/search.ts';
import type { IndexedSchool, Term } from './indexed-school.ts';
import type { SchoolLayout } from './school-layout.ts';
import { equalsOf, isLittle, tellingOf, wordsOf } from './search-words.ts';
import { TYPO_WORDS_MAX, type TypedWord } from './vocabulary.ts';

/** The schools that match a text. */
export interface TextMatches {
  /** Calls back for each school that has every word, in the order of names. Of one kind, those of lower order come first. */
  forEach(onMatch: OnMatch): void;
  /** The same for schools that have about half of the text, and the rarest of its words. */
  forEachClose(onMatch: OnMatch): void;
  /** The alias by which a school was found; undefined when its name alone has every word that it has. */
  aliasOf(school: IndexedSchool, match: Match): string | undefined;
}

type OnMatch = (rank: number, match: Match, order: number) => void;

/** Fewer wrong letters come before fewer words that the text does not say. */
const ORDERS_OF_ONE_LETTER = 32;

/** How a term matches the words that are compared with typos: below this bit exactly, then with one letter wrong … */
const ONE_TYPO = TYPO_WORDS_MAX;
/** … and with two at most. */
const TWO_TYPOS = 2 * TYPO_WORDS_MAX;
/** A word begins the term. */
const SAID = 1 << (3 * TYPO_WORDS_MAX);
/** From this bit on, how a term matches words that are compared without typos: so many of them, before the sign. */
const EXACT = 3 * TYPO_WORDS_MAX + 1;
const EXACT_MAX = 31 - EXACT;

/** Words in so small a share of the names are equally rare. */
const RARE_SHARE = 1 / 2000;

/** The words that are compared with typos. */
const MISSPELT = (1 << TYPO_WORDS_MAX) - 1;

/** The school lacks one of the words. */
const LACKS = -1;

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
  const { schools, terms, termsOf, formStarts, wordsOf: wordsOfForms, firstTerms, hasOtherTexts, placeOf } = layout;
  const asked = askFor(words, layout);
  // The rarest first: the schools that have it are compared with the other words, where most lack the next.
  const rarestFirst = asked.toSorted((one, other) => countCandidates(one) - countCandidates(other));
  const marks = markTerms(asked, terms.length);
  const typed = tellingOf(wordsOf(text), isLittle);

  /** The marks of all terms of a school. */
  function collect(rank: number): number {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    let found = 0;
    for (let at = starts[rank] as number; at < end; at += 1) found |= marks[values[at] as number] as number;
    return found;
  }

  /** Whether a term of a school begins with a word, or means the same. */
  function hasExactly(rank: number, { from, to, equals }: TypedWord): boolean {
    const { starts, values } = termsOf;
    const end = starts[rank + 1] as number;
    for (let at = starts[rank] as number; at < end; at += 1) {
      const index = values[at] as number;
      if (index >= from && index < to) return true;
      if (equals.length > 0 && equals.some((term) => term.index === index)) return true;
    }
    return false;
  }

  const isPlaced = (rank: number, { places }: AskedWord) => places?.has(placeOf[rank] as number) ?? false;

  /** Whether a word is in a school's names, given the marks of its terms. */
  const isInNames = (rank: number, found: number, { word, bit }: AskedWord) =>
    bit === 0 ? hasExactly(rank, word) : (found & bit) !== 0;

  /** How many letters are wrong in a school's words for the text. A word of its place needs another one in its names. */
  function countWrong(rank: number): number {
    const found = collect(rank);
    let inNames = 0;
    for (const one of rarestFirst) {
      if (isInNames(rank, found, one)) inNames += 1;
      else if (!isPlaced(rank, one)) return LACKS;
    }
    return inNames === 0 ? LACKS : wrongLetters(found);
  }

  /** Of the words that some term has with typos at most. */
  function wrongLetters(found: number): number {
    const present = (found >> TWO_TYPOS) & MISSPELT;
    return countBits(present & ~found) + countBits(present & ~(found >> ONE_TYPO));
  }

  /** How a school matches that has every word of the text without a typo. */
  function matchOf(rank: number): Match {
    const { from = 0, to = 0 } = words[0] ?? {};
    const first = firstTerms[rank] as number;
    const canBegin = (first >= from && first < to) || (terms[first]?.isLittle ?? false);
    if (!canBegin && hasOtherTexts[rank] === 0) return 'word';
    const { aliases, name } = schools[rank] as IndexedSchool;
    if (aliases.length > 0 && hasAlias(rank, name.forms.length)) return 'alias';
    return name.forms.some(({ folded }, form) => folded === text || (form === 0 && folded.startsWith(text)))
      ? 'prefix'
      : 'word';
  }

  /** Whether the words of an alias are those of the text. @param from the first form of its aliases */
  function hasAlias(rank: number, from: number): boolean {
    const end = formStarts[rank + 1] as number;
    for (let form = (formStarts[rank] as number) + from; form < end; form += 1) if (isTyped(form)) return true;
    return false;
  }

  /** An alias of one word, such as "UNI", is an abbreviation of its own. */
  const isSame = (word: string, term: Term) =>
    word === term.text || (typed.length > 1 && equalsOf(word).includes(term.text));

  function isTyped(form: number): boolean {
    const { starts, values } = wordsOfForms;
    const start = starts[form] as number;
    if ((starts[form + 1] as number) - start !== typed.length) return false;
    return typed.every((word, at) => isSame(word, terms[values[start + at] as number] as Term));
  }

  /** The fewest words of a name or an alias that no word of the text begins. */
  function countUnsaid(rank: number): number {
    const { starts, values } = wordsOfForms;
    const last = formStarts[rank + 1] as number;
    let fewest = ORDERS_OF_ONE_LETTER - 1;
    for (let form = formStarts[rank] as number; form < last; form += 1) {
      const end = starts[form + 1] as number;
      let unsaid = 0;
      for (let at = starts[form] as number; at < end; at += 1)
        if (((marks[values[at] as number] as number) & SAID) === 0) unsaid += 1;
      if (unsaid < fewest) fewest = unsaid;
    }
    return fewest;
  }

  const orderOf = (rank: number, wrong: number) => wrong * ORDERS_OF_ONE_LETTER + countUnsaid(rank);

  /** Calls back for the schools that have one of some words, in order. */
  function forCandidates(of: readonly AskedWord[], isByPlace: boolean, onCandidate: (rank: number) => void): void {
    const candidates = new Uint8Array(schools.length);
    for (const { word, places } of of) {
      markSchools(word, layout.schoolsOf, candidates);
      if (!isByPlace || !places) continue;
      for (let rank = 0; rank < schools.length; rank += 1)
        if (places.has(placeOf[rank] as number)) candidates[rank] = 1;
    }
    let compared = 0;
    for (let rank = 0; rank < schools.length; rank += 1) {
      if (candidates[rank] === 0) continue;
      compared += 1;
      onCandidate(rank);
    }
    onCompared(compared + of.reduce((sum, { word }) => sum + word.schools, 0));
  }

  return {
    forEach(onMatch) {
      const [rarest] = rarestFirst;
      if (!rarest || countCandidates(rarest) === 0) return;
      forCandidates([rarest], true, (rank) => {
        const wrong = countWrong(rank);
        if (wrong === LACKS) return;
        onMatch(rank, wrong === 0 ? matchOf(rank) : 'typo', orderOf(rank, wrong));
      });
    },
    forEachClose(onMatch) {
      const named = asked.filter(({ word }) => word.schools > 0);
      const all = asked.reduce((sum, { weight }) => sum + weight, 0);
      const unknown = asked.filter(({ word, places }) => word.schools === 0 && !places);
      const unknownWeight = unknown.reduce((sum, { weight }) => sum + weight, 0);
      if (unknownWeight > all / 2) return;
      const heaviestFirst = asked
        .filter((one) => !unknown.includes(one))
        .toSorted((one, other) => other.weight - one.weight);
      const most = Math.max(...named.map(({ weight }) => weight));
      const rarest = named.filter(({ weight }) => weight === most);
      forCandidates(rarest, false, (rank) => {
        const found = collect(rank);
        let lacking = unknownWeight;
        for (const one of heaviestFirst) {
          if (!isInNames(rank, found, one) && !isPlaced(rank, one)) lacking += one.weight;
          if (lacking > all / 2) return;
        }
        if (lacking > 0) onMatch(rank, 'close', orderOf(rank, wrongLetters(found)));
      });
    },
    aliasOf({ name, aliases }, match) {
      if (match === 'prefix' || aliases.length === 0) return undefined;
      const formsOf = ({ forms }: typeof name) => [...new Set(forms.flatMap((form) => form.words))];
      const isIn = ({ from, to, equals, misspelt: close }: TypedWord, given: readonly Term[]) =>
        given.some(
          (term) =>
            (term.index >= from && term.index < to) ||
            equals.includes(term) ||
            ((match === 'typo' || match === 'close') && close.includes(term)),
        );
      if (match === 'alias') return aliases.find((alias) => alias.forms.some((form) => sameWords(form.words)))?.text;
      const missing = words.filter((word) => !isIn(word, formsOf(name)));
      return aliases.find((alias) => missing.some((word) => isIn(word, formsOf(alias))))?.text;
    },
  };

  function sameWords(given: readonly Term[]): boolean {
    const telling = tellingOf(given, (term) => term.isLittle);
    return telling.length === typed.length && typed.every((word, at) => isSame(word, telling[at] as Term));
  }

  function countCandidates({ word, schoolsPlaced }: AskedWord): number {
    return word.schools + schoolsPlaced;
  }
}

/** Each word with its bit: first those that are compared with typos, then those that are not, as far as there are bits. */
function askFor(words: readonly TypedWord[], { schools, placeOf, placesNamed }: SchoolLayout): AskedWord[] {
  const bits = { misspelt: 0, exact: 0 };
  return words.map((word) => {
    const kind = word.misspelt.length > 0 ? 'misspelt' : 'exact';
    const position = bits[kind];
    bits[kind] += 1;
    const isMarked = position < (kind === 'exact' ? EXACT_MAX : TYPO_WORDS_MAX);
    const bit = isMarked ? 1 << (position + (kind === 'exact' ? EXACT : TWO_TYPOS)) : 0;
    const places = placesNamed.get(word.text);
    let schoolsPlaced = 0;
    if (places) for (const place of placeOf) if (places.has(place)) schoolsPlaced += 1;
    const frequency = Math.max(word.frequency, schools.length * RARE_SHARE, 1);
    return { word, bit, places, schoolsPlaced, weight: Math.log(1 + schools.length / frequency) };
  });
}

/** A word of the text, with what it means among the schools there are. */
interface AskedWord {
  readonly word: TypedWord;
  /** The mark of a term that matches it, with typos at most; 0 when there are too many words. */
  readonly bit: number;
  /** The places that it names. */
  readonly places: ReadonlySet<number> | undefined;
  readonly schoolsPlaced: number;
  /** The fewer names have it, the more. A word that no name has weighs as much as the rarest. */
  readonly weight: number;
}

/** How each term matches some words. */
function markTerms(asked: readonly AskedWord[], count: number): Int32Array {
  const marks = new Int32Array(count);
  const add = (index: number, bits: number) => {
    marks[index] = (marks[index] as number) | bits;
  };
  for (const { word, bit } of asked) {
    const { from, to, equals, misspelt, withOneTypo } = word;
    const hasTypos = misspelt.length > 0;
    const oneTypo = hasTypos ? bit | (bit >> (TWO_TYPOS - ONE_TYPO)) : bit;
    const exactly = SAID | oneTypo | (hasTypos ? bit >> TWO_TYPOS : 0);
    for (let index = from; index < to; index += 1) add(index, exactly);
    for (const { index } of equals) add(index, exactly);
    for (const [order, { index }] of misspelt.entries()) add(index, order < withOneTypo ? oneTypo : bit);
  }
  return marks;
}

/** Marks the schools that have a word, by their ranks. */
export function markSchools(
  { from, to, equals, misspelt }: TypedWord,
  { starts, values }: SchoolLayout['schoolsOf'],
  marks: Uint8Array,
): void {
  const mark = (first: number, last: number) => {
    const end = starts[last] as number;
    for (let at = starts[first] as number; at < end; at += 1) marks[values[at] as number] = 1;
  };
  mark(from, to);
  for (const { index } of equals) mark(index, index + 1);
  for (const { index } of misspelt) mark(index, index + 1);
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
}
