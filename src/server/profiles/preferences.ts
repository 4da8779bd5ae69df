import { foldAccents } from '../../contract/folding.ts';
import { PROFILE_FIELDS, type Preferences, type ProfileField } from '../../contract/profiles.ts';
import { isLittle } from '../schools/search/search-words.ts';
import { processTerm, stemOf } from './words.ts';

/** One filled field of a profile. */
export interface Preference {
  readonly field: ProfileField;
  readonly text: string;
  readonly wanted: readonly PreferenceWord[];
  readonly unwanted: readonly PreferenceWord[];
  /** The stems of all significant words of the text, also of those beyond `WORDS_MAX`, which are not searched for. */
  readonly stems: ReadonlySet<string>;
}

/** A word as the index has it, and its stem. */
interface PreferenceWord {
  readonly word: string;
  readonly stem: string;
}

/** The maximum number of words of each kind that are looked for. */
const WORDS_MAX = 20;
/** To how many words after it a word such as "no" applies. */
const NEGATION_REACH = 3;

const NEGATIONS = new Set('no not never without avoid hate dislike allergic afraid dont cant'.split(' '));
/** Phrases that begin like a negation and are none. */
const FALSE_NEGATIONS = ['no preference', 'not only', 'cant wait', 'no problem'];
/** Besides those that the search of schools passes over. */
const LITTLE_WORDS = new Set('to a i my is'.split(' '));
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
  let left = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    if (FALSE_NEGATIONS.includes(`${token} ${tokens[at + 1]}`)) {
      left = 0;
      at += 1;
    } else if (NEGATIONS.has(token)) left = NEGATION_REACH;
    else if (NEGATION_END.test(token)) left = 0;
    else if (!LITTLE_WORDS.has(token) && !isLittle(token)) {
      const word = processTerm(token);
      // Not of the word, which may be cut: reviews are quoted for whole words.
      const stem = stemOf(token);
      const words = left > 0 ? unwanted : wanted;
      if (word !== null) words.set(stem, { word, stem });
      left = Math.max(0, left - 1);
    }
  }
  const stems = new Set([...wanted.keys(), ...unwanted.keys()]);
  for (const stem of unwanted.keys()) wanted.delete(stem);
  const first = (words: Map<string, PreferenceWord>) => [...words.values()].slice(0, WORDS_MAX);
  return { field, text, wanted: first(wanted), unwanted: first(unwanted), stems };
}

/** The preferences of the filled fields. */
export const parsePreferences = (profile: Preferences): Preference[] =>
  PROFILE_FIELDS.filter((field) => profile[field] !== '').map((field) => parsePreference(field, profile[field]));

/** A word. In scripts such as Devanagari, combining marks are parts of it. */
export const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Stems, each with a word that has it, as its text writes it. */
export type NameStems = ReadonlyMap<string, string>;

/** The stems of a text. */
export function stemsOf(text: string): Map<string, string> {
  const words = text.match(WORD) ?? [];
  return new Map(words.map((word) => [stemOf(word), word]));
}
