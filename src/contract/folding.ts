// Folding: brings texts into the form in which they are compared. Browser and server share it, so that both find the
// same schools.

/** Ignores case, but not accents. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Ignores case and accents, so that É is sorted beside E and not after Z. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** The longest text that can be searched for. */
export const SEARCH_TEXT_MAX = 200;

/** The text that is searched for: what somebody typed, cut to `SEARCH_TEXT_MAX`. */
export const searchTextOf = (typed: string): string => typed.trim().slice(0, SEARCH_TEXT_MAX).toWellFormed();

/** Letters that do not decompose into a plain letter and an accent, and what people type instead of them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/**
 * A letter of a script in which marks are optional, with its marks; marks without a letter before them; or the mark that
 * chooses a form of a Chinese character.
 */
const OPTIONAL_MARKS = /\p{VS}|([^\p{L}\p{M}]|^|[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}])\p{M}+/gu;

/** Single letters joined by "and": "A & M", "A&M" and "A and M". */
const JOINED_LETTERS = /(?<![\p{L}\p{N}])(\p{L})(?: *& *| +and +)(?=\p{L}(?![\p{L}\p{N}\p{M}]))/gu;

/** Folds case and accents. Marks of other scripts stay: without them, a word in Thai or Devanagari is another word. */
export const foldOptionalMarks = (text: string): string =>
  text.normalize('NFD').replaceAll(OPTIONAL_MARKS, '$1').toLowerCase();

const toPlainLetters = (folded: string): string =>
  folded.replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

const plainLetters = (text: string): string => toPlainLetters(foldOptionalMarks(text));

/** Letters in the width of Chinese characters, or in half of it, as input methods write them: "ＭＩＴ". */
const OTHER_WIDTHS = /[\uFF01-\uFFEE]+/g;

/** Unicode letters that people type as apostrophes, such as the okina of "Hawaiʻi". */
const APOSTROPHES = /[\u02B9-\u02BF]/g;

/** The letters that the search compares. Stored keys must not depend on it. */
const searchLetters = (text: string): string =>
  plainLetters(text.replaceAll(OTHER_WIDTHS, (letters) => letters.normalize('NFKC')).replaceAll(APOSTROPHES, "'"));

/** A name or the beginning of one, in the forms that a search by prefix compares. */
export interface FoldedName {
  /** Without case. */
  readonly exact: string;
  /** Without accents too. */
  readonly plain: string;
}

export const foldName = (text: string): FoldedName => ({ exact: foldCase(text), plain: plainLetters(text) });

/**
 * How a name begins with the typed text. 'exactly': only the case may differ (spec §2). 'alike': accents may differ as
 * well, so that "universite" finds "Université" and "lodz" finds "Łódź". Undefined: it begins with another text.
 */
export function beginsWith(name: FoldedName, typed: FoldedName): 'exactly' | 'alike' | undefined {
  if (name.exact.startsWith(typed.exact)) return 'exactly';
  return name.plain.startsWith(typed.plain) ? 'alike' : undefined;
}

/**
 * The form that the search compares: without case, accents and punctuation. A hyphen becomes a space; other punctuation
 * is removed, so that "St. John's" becomes "st johns", and "A & M" becomes "am". Empty if the text consists of
 * punctuation.
 */
export function foldSearch(text: string): string {
  return joinWords(
    searchLetters(text)
      .replaceAll(/\p{Pd}/gu, ' ')
      .replaceAll(JOINED_LETTERS, '$1'),
  );
}

const keyOf = (plain: string): string | undefined => joinWords(plain.replaceAll(/\p{Pd}/gu, ' ')) || undefined;

/**
 * Every two spellings of a name have the same key. It has neither case, marks nor punctuation; only a name that consists
 * of punctuation keeps it. Keys are stored, so this function must not change when the search does.
 */
export const nameKey = (name: string): string => keyOf(toPlainLetters(foldAccents(name))) ?? foldAccents(name);

/**
 * Names with the same of these keys count as the same name. Unlike `nameKey` it has the marks of scripts in which they
 * make another word, such as "バス" (bus) and "パス" (pass).
 */
export const exactNameKey = (name: string): string => keyOf(plainLetters(name)) ?? foldAccents(name);

/**
 * The forms of a name that people may type: the form of `foldSearch`, one without hyphens ("alazhar"), and one with
 * spaces instead of all punctuation ("dell aquila").
 */
export function searchForms(text: string): string[] {
  const plain = searchLetters(text);
  return [...new Set([foldSearch(text), joinWords(plain), joinWords(plain.replaceAll(/[\p{P}\p{S}\p{C}]/gu, ' '))])];
}

function joinWords(text: string): string {
  return text
    .replaceAll(/[\p{P}\p{S}\p{C}]/gu, '')
    .replaceAll(/[\p{Z}\s]+/gu, ' ')
    .trim();
}
