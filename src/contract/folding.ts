// How texts are made alike before they are compared, on both sides: what the browser finds, the server finds too.

/** Without case, accents kept. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Without case and accents, so that É stands by E in lists and not after Z. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Characters that may be searched for. */
export const SEARCH_TEXT_MAX = 200;

/** Letters that no accent is taken off, as people without them on the keyboard type them. */
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
 * As the search compares: without case, accents and punctuation. A hyphen is a blank, as between two words; other
 * punctuation is removed, so that "St. John's" is "st johns". Empty for a text of punctuation alone.
 */
export function foldSearch(text: string): string {
  return joinWords(plainLetters(text).replaceAll(/\p{Pd}/gu, ' '));
}

/**
 * All forms of a name that people may type: as `foldSearch` makes it; with hyphens removed too ("alazhar"); and with
 * all punctuation taken for blanks ("dell aquila").
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
