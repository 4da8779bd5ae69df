import type { SchoolLayout } from './school-layout.ts';
import { TYPO_WORDS_MAX, type TypedWord } from './vocabulary.ts';

/**
 * The marks of a term are bits of a number. Each word that is compared with typos has three of them. Those below
 * `ONE_TYPO` say that the term matches a word exactly, those from it on with one letter wrong at most.
 */
export const ONE_TYPO = TYPO_WORDS_MAX;
/** The bits from this one on say that the term matches a word with two letters wrong at most. */
export const TWO_TYPOS = 2 * TYPO_WORDS_MAX;
/** The mark of a term that begins with a word of the text, or means the same. */
export const TYPED = 1 << (3 * TYPO_WORDS_MAX);
/**
 * The bits from this one on, up to the sign bit, say that the term matches a word that is compared without typos.
 */
const EXACT = 3 * TYPO_WORDS_MAX + 1;
const EXACT_MAX = 31 - EXACT;

/** Words that a smaller share of the names has count as equally rare. */
const RARE_SHARE = 1 / 2000;

/** The bits of the words that are compared with typos. */
export const MISSPELT = (1 << TYPO_WORDS_MAX) - 1;

/** Gives each word its places, its weight and, as long as there are free ones, a bit. */
export function giveBits(words: readonly TypedWord[], { schools, placeOf, placesNamed }: SchoolLayout): AskedWord[] {
  const used = { misspelt: 0, exact: 0 };
  return words.map((word) => {
    const kind = word.misspelt.length > 0 ? 'misspelt' : 'exact';
    const position = used[kind];
    used[kind] += 1;
    const isMarked = position < (kind === 'exact' ? EXACT_MAX : TYPO_WORDS_MAX);
    const bit = isMarked ? 1 << (position + (kind === 'exact' ? EXACT : TWO_TYPOS)) : 0;
    const exactBit = kind === 'exact' ? bit : bit >> TWO_TYPOS;
    const places = placesNamed.get(word.text);
    let schoolsPlaced = 0;
    if (places) for (const place of placeOf) if (places.has(place)) schoolsPlaced += 1;
    const frequency = Math.max(word.frequency, schools.length * RARE_SHARE, 1);
    return { word, bit, exactBit, places, schoolsPlaced, weight: Math.log(1 + schools.length / frequency) };
  });
}

/** A word of the text, with what it means among the schools there are. */
export interface AskedWord {
  readonly word: TypedWord;
  /** The mark of a term that matches the word, exactly or with typos; 0 when there are too many words. */
  readonly bit: number;
  /** The mark of a term that matches the word exactly; the same as `bit` for a word that is compared without typos. */
  readonly exactBit: number;
  /** The places that the word names, by their positions. */
  readonly places: ReadonlySet<number> | undefined;
  readonly schoolsPlaced: number;
  /** The fewer names have the word, the more it weighs. A word that no name has weighs as much as the rarest. */
  readonly weight: number;
}

/** How each term matches the words. @param count the number of terms */
export function markTerms(asked: readonly AskedWord[], count: number): Int32Array {
  const marks = new Int32Array(count);
  const add = (index: number, bits: number) => {
    marks[index] = (marks[index] as number) | bits;
  };
  for (const { word, bit, exactBit } of asked) {
    const { from, to, synonyms, misspelt, withOneTypo } = word;
    const hasTypos = misspelt.length > 0;
    const oneTypo = hasTypos ? bit | (bit >> (TWO_TYPOS - ONE_TYPO)) : bit;
    const exactly = TYPED | oneTypo | exactBit;
    for (let index = from; index < to; index += 1) add(index, exactly);
    for (const { index } of synonyms) add(index, exactly);
    for (const [order, { index }] of misspelt.entries()) add(index, order < withOneTypo ? oneTypo : bit);
  }
  return marks;
}

/** Marks the schools that have a word, by their ranks. */
export function markSchools(
  { from, to, synonyms, misspelt }: TypedWord,
  { starts, values }: SchoolLayout['schoolsOf'],
  marks: Uint8Array,
): void {
  const mark = (first: number, last: number) => {
    const end = starts[last] as number;
    for (let at = starts[first] as number; at < end; at += 1) marks[values[at] as number] = 1;
  };
  mark(from, to);
  for (const { index } of synonyms) mark(index, index + 1);
  for (const { index } of misspelt) mark(index, index + 1);
}
