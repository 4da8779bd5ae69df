import { foldAccents } from '../../contract/folding.ts';

/** Words that say nothing about a preference. */
const STOP_WORDS = new Set(
  'a an and any are as at be but by for from have i in is it like me my near not of on or own prefer some somewhere study that the to want with would'.split(
    ' ',
  ),
);

/** The indexed form of a word; null for a word that is not indexed. */
export function processTerm(term: string): string | null {
  const folded = foldAccents(term);
  return folded === '' || STOP_WORDS.has(folded) ? null : folded;
}

/** The words of a text as they are written. */
export const splitWords = (text: string): string[] => text.split(/[\n\r\p{Z}\p{P}]+/u);

const VOWEL = /[aeiouy]/;

/** What the forms of an English word have in common, in lower case: "studies" and "study", "swimming" and "swim". */
export function stemOf(word: string): string {
  let stem = foldAccents(word);
  if (stem.length > 3 && stem.endsWith('s') && !/(?:ss|us|is)$/.test(stem)) {
    stem = stem
      .replace(/sses$/, 'ss')
      .replace(/ies$/, 'y')
      .replace(/(?<!s)s$/, '');
  }
  const [, base = '', ending] = /^(.{2,}?)(ing|ed|ly)$/.exec(stem) ?? [];
  if (ending && VOWEL.test(base) && base.length >= 3) stem = base.replace(/([^aeiouylsz])\1$/, '$1');
  return stem.length > 3 ? stem.replace(/e$/, '').replace(/y$/, 'i') : stem;
}

/** Whether a word also finds longer words that begin with it. */
export const findsLongerWords = (word: string) => word.length > 5;

/** The length of the beginning that decides which longer words a word may find. */
export const PREFIX_LENGTH = 6;

/** How many letters of a word may be wrong, missing or extra when nothing matches it exactly. */
export const wrongLettersAllowed = (word: string) => Math.min(6, Math.round(word.length / 5));

/** The letters of a word as bits, of which several letters share one. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

export function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/**
 * The number of letters that are wrong, missing or extra in one of two words (the Levenshtein distance).
 * @returns undefined when there are more than allowed
 */
export function distanceOf(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined;
  const row = Uint8Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let index = 1; index <= one.length; index += 1) {
    let diagonal = row[0] as number;
    row[0] = index;
    let least = index;
    for (let column = 1; column <= other.length; column += 1) {
      const above = row[column] as number;
      const isEqual = one.charCodeAt(index - 1) === other.charCodeAt(column - 1);
      const distance = isEqual ? diagonal : 1 + Math.min(diagonal, above, row[column - 1] as number);
      row[column] = distance;
      diagonal = above;
      if (distance < least) least = distance;
    }
    if (least > max) return undefined;
  }
  const distance = row[other.length] as number;
  return distance <= max ? distance : undefined;
}
