import { foldAccents } from '../../contract/folding.ts';

/** Words that say nothing about a preference. */
const STOP_WORDS = new Set(
  'a an and any are as at be but by for from have i in is it like me my near not of on or own prefer some somewhere study that the to want with would'.split(
    ' ',
  ),
);

/**
 * The maximum length of an indexed word: comparing two words of thousands of letters takes a thousand times as long as
 * usual. Real words are shorter. A phrase in a script without spaces, such as Chinese or Thai, is one word here and may
 * be longer; it is found by its beginning.
 */
export const TERM_MAX = 40;

/** The indexed form of a word, cut to `TERM_MAX`; null for a word that is not indexed. */
export function toTerm(term: string): string | null {
  const folded = foldAccents(term);
  return folded === '' || STOP_WORDS.has(folded) ? null : folded.slice(0, TERM_MAX);
}

/** The words of a text as they are written. */
export const splitWords = (text: string): string[] => text.split(/[\s\p{Z}\p{P}]+/u);

const VOWEL = /[aeiouy]/;

/** The common part of the forms of an English word, in lower case: "studies" and "study", "swimming" and "swim". */
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

/** How many pairs of letters `editDistance` compares at most for a word. */
export const pairsCompared = (word: string, max: number) => word.length * (2 * max + 1);

/**
 * The number of letters that are wrong, missing or extra in one of two words (the Levenshtein distance). Letters whose
 * positions differ by more than `max` are not compared: such a pair would take more than `max` missing or extra letters.
 * @returns undefined when there are more than allowed
 */
export function editDistance(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined;
  const tooMany = max + 1;
  const row = new Uint16Array(other.length + 1);
  for (let column = 0; column <= other.length; column += 1) row[column] = Math.min(column, tooMany);
  for (let index = 1; index <= one.length; index += 1) {
    const first = Math.max(1, index - max);
    const last = Math.min(other.length, index + max);
    let diagonal = row[first - 1] as number;
    let least = Math.min(index, tooMany);
    row[first - 1] = least;
    for (let column = first; column <= last; column += 1) {
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
