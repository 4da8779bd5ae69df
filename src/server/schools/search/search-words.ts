import { foldSearch } from '../../../contract/folding.ts';

/** Words that need not match, and that do not count when a name is compared with a text. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  'the of and at in for de del della di du des la le el der die und y e'.split(' '),
);

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    st: ['saint'],
    univ: ['university'],
    uni: ['university'],
    u: ['university'],
    tech: ['technology', 'technical'],
    inst: ['institute'],
  }),
);

export const isAbbreviation = (word: string): boolean => ABBREVIATIONS.has(word);

/** The words that an abbreviation stands for. */
export const expansionsOf = (word: string): readonly string[] => ABBREVIATIONS.get(word) ?? [];

/** The abbreviations that stand for words of some kind. */
export const abbreviationsOf = (isMeant: (word: string) => boolean): string[] =>
  [...ABBREVIATIONS].flatMap(([abbreviation, words]) => (words.some(isMeant) ? abbreviation : []));

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set([...ABBREVIATIONS].flat(2))].map((word) => {
    const meant = [word, ...expansionsOf(word)];
    return [word, [...new Set([...meant, ...abbreviationsOf((one) => meant.includes(one))])]];
  }),
);

/** A folded word, which comes first, and the words that mean the same. */
export const synonymsOf = (word: string): readonly string[] => SYNONYMS.get(word) ?? [word];

export const hasSynonyms = (word: string): boolean => SYNONYMS.has(word);

/** The words of a folded text in their order. */
export const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

/** The words without stop words, unless there are no others. */
export function significantOf<Word>(words: readonly Word[], isStop: (word: Word) => boolean): readonly Word[] {
  if (!words.some(isStop)) return words;
  const significant = words.filter((word) => !isStop(word));
  return significant.length > 0 ? significant : words;
}

/**
 * Names that people also use for countries. Of the thirty countries with the most schools, all that have such names are
 * here. Each word of them is one for itself: with "Northern Ireland", all British colleges would be found for "college
 * ireland".
 */
export const COUNTRY_ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    brazil: ['brasil'],
    china: ['prc', '中国', '中國'],
    germany: ['deutschland'],
    india: ['bharat', 'भारत'],
    iran: ['persia', 'ایران'],
    italy: ['italia'],
    japan: ['nippon', '日本'],
    mexico: ['mejico'],
    'north korea': ['dprk'],
    'north macedonia': ['macedonia'],
    philippines: ['pilipinas'],
    poland: ['polska'],
    'russian federation': ['russia', 'rossiya', 'россия'],
    'south korea': ['rok', '한국'],
    spain: ['espana'],
    switzerland: ['schweiz', 'suisse', 'svizzera'],
    taiwan: ['roc', '台湾', '台灣', '臺灣'],
    thailand: ['ไทย'],
    turkiye: ['turkey'],
    ukraine: ['ukraina', 'україна'],
    'united kingdom': ['uk', 'gb', 'great britain', 'england', 'scotland', 'wales'],
    'united states': ['usa', 'us', 'america'],
  }),
);

/** The whole words by which people name the place of a school. @param location and country folded */
export function placeWords(location: string, country: string): string[] {
  const aliases = (COUNTRY_ALIASES.get(country) ?? []).map(foldSearch);
  return [...new Set([location, ...aliases].flatMap(wordsOf))].filter((word) => !isStopWord(word));
}
