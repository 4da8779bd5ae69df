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

function plainLetters(text: string): string {
  return foldAccents(text).replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/**
 * The form that the search compares: without case, accents and punctuation. A hyphen becomes a blank; other punctuation
 * is removed, so that "St. John's" becomes "st johns". Empty if the text consists of punctuation.
 */
export function foldSearch(text: string): string {
  return joinWords(plainLetters(text).replaceAll(/\p{Pd}/gu, ' '));
}

/**
 * Names with the same key count as the same name: they are compared like searches, and names of punctuation alone
 * unchanged.
 */
export function nameKey(name: string): string {
  return foldSearch(name) || foldAccents(name);
}

/**
 * The forms of a name that people may type: that of `foldSearch`, one without hyphens ("alazhar"), and one with blanks
 * instead of all punctuation ("dell aquila").
 */
export function searchForms(text: string): string[] {
  const plain = plainLetters(text);
  return [...new Set([foldSearch(text), joinWords(plain), joinWords(plain.replaceAll(/[\p{P}\p{S}\p{C}]/gu, ' '))])];
}

function joinWords(text: string): string {
  return text
    .replaceAll(/[\p{P}\p{S}\p{C}]/gu, '')
    .replaceAll(/[\p{Z}\s]+/gu, ' ')
    .trim();
}
