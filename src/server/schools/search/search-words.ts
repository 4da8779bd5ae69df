import { foldSearch } from '../../../contract/folding.ts';

/** Words that need not match, and that do not count when a name is compared with a text. */
const LITTLE_WORDS: ReadonlySet<string> = new Set(
  'the of and at in for de del della di du des la le el der die und y e'.split(' '),
);

/** Short forms, and the words that they stand for. */
export const SHORT_FORMS: readonly (readonly [short: string, whole: readonly string[]])[] = [
  ['st', ['saint']],
  ['univ', ['university']],
  ['uni', ['university']],
  ['u', ['university']],
  ['tech', ['technology', 'technical']],
  ['inst', ['institute']],
];

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(SHORT_FORMS.flatMap(([short, whole]) => [short, ...whole]))].map((word) => {
    const wholes = SHORT_FORMS.flatMap(([short, whole]) => (short === word ? whole : []));
    const meant = [word, ...wholes];
    const shorts = SHORT_FORMS.flatMap(([short, whole]) => (whole.some((one) => meant.includes(one)) ? short : []));
    return [word, [...new Set([...meant, ...shorts])]];
  }),
);

/** A folded word, which comes first, and the words that mean the same. */
export const synonymsOf = (word: string): readonly string[] => SYNONYMS.get(word) ?? [word];

export const hasSynonyms = (word: string): boolean => SYNONYMS.has(word);

export const isShortForm = (word: string): boolean => SHORT_FORMS.some(([short]) => short === word);

export const isLittle = (word: string): boolean => LITTLE_WORDS.has(word);

/** The words of a folded text in their order. */
export const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

/** Leaves out little words, unless there are no others. */
export function significantOf<Word>(words: readonly Word[], isLittleWord: (word: Word) => boolean): readonly Word[] {
  if (!words.some(isLittleWord)) return words;
  const significant = words.filter((word) => !isLittleWord(word));
  return significant.length > 0 ? significant : words;
}

/**
 * Names that people also use for countries. Of the thirty countries with the most schools, all that have such names are
 * here. Each word of them is one for itself: with "Northern Ireland", all British colleges would be found for "college
 * ireland".
 */
export const USUAL_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
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
  const usual = (USUAL_NAMES.get(country) ?? []).map(foldSearch);
  return [...new Set([location, ...usual].flatMap(wordsOf))].filter((word) => !isLittle(word));
}
