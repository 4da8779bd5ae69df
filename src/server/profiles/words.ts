import MiniSearch from 'minisearch';
import { foldAccents } from '../../contract/folding.ts';

/** Words that say nothing about a preference. */
const STOP_WORDS = new Set(
  'a an and any are as at be but by for from have i in is it like me my near not of on or prefer some somewhere study that the to want with would'.split(
    ' ',
  ),
);

/**
 * The maximum number of words searched for one preference: each is compared with every text of every school, which
 * blocks the event loop.
 */
const WORDS_MAX = 20;

/** The indexed form of a word; null for a word that is not indexed. */
export function processTerm(term: string): string | null {
  const folded = foldAccents(term);
  return STOP_WORDS.has(folded) ? null : folded;
}

const splitWords: (text: string) => string[] = MiniSearch.getDefault('tokenize');

/** The first words of a preference, without duplicates. */
export function wordsOf(preference: string): string[] {
  const words = new Set(splitWords(preference).map(processTerm));
  return [...words].filter((word): word is string => Boolean(word)).slice(0, WORDS_MAX);
}

/** Whether a word also finds longer words that begin with it. */
export const isPrefix = (word: string) => word.length > 5;
