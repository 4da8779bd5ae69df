import { findCategory } from '../../contract/categories.ts';
import { foldAccents } from '../../contract/folding.ts';
import { PROFILE_FIELDS, type Preferences, type ProfileField } from '../../contract/profiles.ts';
import { isStopWord } from '../schools/search/search-words.ts';
import { stemOf, toTerm } from './words.ts';

/** One filled field of a profile. */
export interface Preference {
  readonly field: ProfileField;
  readonly text: string;
  readonly wanted: readonly PreferenceWord[];
  readonly unwanted: readonly PreferenceWord[];
  /** The stems of all significant words of the text, also of those beyond `WORDS_MAX`, which are not searched for. */
  readonly stems: ReadonlySet<string>;
}

/** Whether what a category lists can fulfil one of some preferences. */
export const canFulfil = (kind: string, fields: readonly ProfileField[]): boolean =>
  findCategory(kind)?.fulfils?.some((field) => fields.includes(field)) ?? false;

/** A word as the index has it, and its stem. */
interface PreferenceWord {
  readonly word: string;
  readonly stem: string;
}

/** The maximum number of words of each kind that are looked for. */
const WORDS_MAX = 20;
/** How many of the following words a word such as "no" negates. */
const NEGATION_REACH = 3;

const NEGATIONS = new Set('no not never without avoid hate dislike allergic afraid dont cant'.split(' '));
/** Phrases that begin with a negation but negate nothing. */
const FALSE_NEGATIONS = ['no preference', 'not only', 'cant wait', 'no problem'];
/** In addition to those of the school search (`isStopWord`). */
const OTHER_STOP_WORDS = new Set('to a i my is'.split(' '));
const NEGATION_END = /^(?:[^\p{L}\p{N}]|but$|and$)/u;

/**
 * The words of a text, without their apostrophes, and its punctuation marks. A hyphen separates words, but is no mark.
 */
function tokensOf(text: string): string[] {
  const tokens = foldAccents(text).match(/[\p{L}\p{N}]+(?:['’]\p{L}+)*|[^\p{L}\p{N}\s'’-]|\n/gu) ?? [];
  return tokens.map((token) => token.replace(/['’]s$/, '').replaceAll(/['’]/g, ''));
}

/** Initials such as "U.S.A.", which are one word in a location. In names they are searched letter by letter. */
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+\.?(?![\p{L}\p{N}])/gu;
const joinInitials = (text: string) => text.replaceAll(INITIALS, (initials) => initials.replaceAll('.', ''));

/** Separates what a field asks for from what it rules out: "quiet, no cats or dogs". English only. */
export function parsePreference(field: ProfileField, text: string): Preference {
  const [wanted, unwanted] = [new Map<string, PreferenceWord>(), new Map<string, PreferenceWord>()];
  const tokens = tokensOf(field === 'location' ? joinInitials(text) : text);
  let wordsToNegate = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    if (FALSE_NEGATIONS.includes(`${token} ${tokens[at + 1]}`)) {
      wordsToNegate = 0;
      at += 1;
    } else if (NEGATIONS.has(token)) wordsToNegate = NEGATION_REACH;
    else if (NEGATION_END.test(token)) wordsToNegate = 0;
    else if (!OTHER_STOP_WORDS.has(token) && !isStopWord(token)) {
      const word = toTerm(token);
      // Not the stem of `word`, which may be cut: reviews are quoted for whole words.
      const stem = stemOf(token);
      const words = wordsToNegate > 0 ? unwanted : wanted;
      if (word !== null) words.set(stem, { word, stem });
      wordsToNegate = Math.max(0, wordsToNegate - 1);
    }
  }
  const stems = new Set([...wanted.keys(), ...unwanted.keys()]);
  for (const stem of unwanted.keys()) wanted.delete(stem);
  const cut = (words: Map<string, PreferenceWord>) => [...words.values()].slice(0, WORDS_MAX);
  return { field, text, wanted: cut(wanted), unwanted: cut(unwanted), stems };
}

/** The preferences of the filled fields. */
export const parsePreferences = (profile: Preferences): Preference[] =>
  PROFILE_FIELDS.filter((field) => profile[field] !== '').map((field) => parsePreference(field, profile[field]));

/** A word. In scripts such as Devanagari, combining marks are parts of it. */
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** A word for each stem, as the text writes it. */
export type WordsByStem = ReadonlyMap<string, string>;

/** The stems of a text. */
export function stemsOf(text: string): Map<string, string> {
  const words = text.match(WORD) ?? [];
  return new Map(words.map((word) => [stemOf(word), word]));
}
