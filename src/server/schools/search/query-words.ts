import type { SchoolLayout } from './school-layout.ts';
import { TYPO_WORDS_MAX, type TypedWord } from './vocabulary.ts';

/**
 * The mask of a term says how it matches the words of a query. Each word that is compared with typos has three bits of
 * it: one below `ONE_TYPO_SHIFT` for an exact match, one from there on for one wrong letter at most, and one from
 * `TWO_TYPOS_SHIFT` on for two at most.
 */
export const ONE_TYPO_SHIFT = TYPO_WORDS_MAX;
export const TWO_TYPOS_SHIFT = 2 * TYPO_WORDS_MAX;
/** The bit of a term that begins with a word of the query, or means the same. */
export const TYPED_BIT = 1 << (3 * TYPO_WORDS_MAX);
/** The bits from this one on, up to the sign bit, are those of words that are compared without typos. */
const EXACT_SHIFT = 3 * TYPO_WORDS_MAX + 1;
const SIGN_SHIFT = 31;

/** The bits of the words that are compared with typos. */
export const TYPO_WORDS_MASK = (1 << TYPO_WORDS_MAX) - 1;

/** Words that a smaller share of the names has count as equally rare. */
const RARE_SHARE = 1 / 2000;

/** A word of a query, with its meaning among the schools. */
export interface QueryWord extends TypedWord {
  /** The bit of a term that matches the word, exactly or with typos; 0 when there are too many words. */
  readonly bit: number;
  /** The bit of a term that matches the word exactly; the same as `bit` for a word that is compared without typos. */
  readonly exactBit: number;
  /** The places that the word names, by their positions. */
  readonly places: ReadonlySet<number> | undefined;
  /** How many schools have the word, or are at a place of that name. A school with both counts twice. */
  readonly candidateCount: number;
  /** The fewer names have the word, the more it weighs. A word that no name has weighs as much as the rarest. */
  readonly weight: number;
}

export function createQueryWords(
  words: readonly TypedWord[],
  { schools, placeOf, placesNamed }: SchoolLayout,
): QueryWord[] {
  const nextShift = { typos: TWO_TYPOS_SHIFT, exact: EXACT_SHIFT };
  return words.map((word) => {
    const kind = word.misspelt.length > 0 ? 'typos' : 'exact';
    const shift = nextShift[kind];
    nextShift[kind] += 1;
    const bit = shift < SIGN_SHIFT ? 1 << shift : 0;
    const places = placesNamed.get(word.text);
    let candidateCount = word.schoolCount;
    if (places) for (const place of placeOf) if (places.has(place)) candidateCount += 1;
    const frequency = Math.max(word.frequency, schools.length * RARE_SHARE, 1);
    return {
      ...word,
      bit,
      exactBit: kind === 'exact' ? bit : bit >> TWO_TYPOS_SHIFT,
      places,
      candidateCount,
      weight: Math.log(1 + schools.length / frequency),
    };
  });
}

/** The mask of each term. @param count the number of terms */
export function createTermMasks(words: readonly QueryWord[], count: number): Int32Array {
  const masks = new Int32Array(count);
  for (const word of words) {
    const { bit, exactBit, misspelt } = word;
    const oneTypo = misspelt.length > 0 ? bit | (bit >> (TWO_TYPOS_SHIFT - ONE_TYPO_SHIFT)) : bit;
    const bits = [TYPED_BIT | oneTypo | exactBit, oneTypo, bit] as const;
    forEachTerm(word, (index, typos) => {
      masks[index] = (masks[index] as number) | bits[typos];
    });
  }
  return masks;
}

/** Calls back for each term that matches a word, with the number of typos. */
export function forEachTerm(
  { from, to, synonyms, misspelt, oneTypoCount }: TypedWord,
  onTerm: (index: number, typos: 0 | 1 | 2) => void,
): void {
  for (let index = from; index < to; index += 1) onTerm(index, 0);
  for (const { index } of synonyms) onTerm(index, 0);
  for (const [order, { index }] of misspelt.entries()) onTerm(index, order < oneTypoCount ? 1 : 2);
}

/** Sets the items of the schools that have a word, by their ranks, to 1. */
export function addCandidates(word: TypedWord, { starts, values }: SchoolLayout['schoolsOf'], candidates: Uint8Array) {
  forEachTerm(word, (term) => {
    const end = starts[term + 1] as number;
    for (let at = starts[term] as number; at < end; at += 1) candidates[values[at] as number] = 1;
  });
}
