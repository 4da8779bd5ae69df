/** The spelling of numbers in a path or query: no sign, no exponent, no more digits than the largest safe integer. */
const SPELLINGS = { integer: /^\d{1,16}$/, number: /^\d{1,12}(?:\.\d{1,3})?$/ };

/** Converts a text in an address to a number. A text that is no number is returned unchanged. */
export function readNumber(text: string, type: 'integer' | 'number'): number | string {
  return SPELLINGS[type].test(text) ? Number(text) : text;
}

/** The longest sequence that composes into one character: a Greek vowel with three marks. */
const MARKS_COMPOSED_MAX = 3;

/** Characters below U+0300 are always composed: most texts need neither of the two slow checks. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * Composes a text (NFC), unless it has more combining marks than `max`, the number of characters allowed: sorting the
 * marks of one character takes quadratic time, and 30,000 of them blocked the process for half a second.
 */
export function compose(text: string, max: number): string {
  if (!MAY_COMPOSE.test(text)) return text;
  let marks = 0;
  for (const [run] of text.matchAll(/\p{M}+/gu)) marks += Math.max(0, lengthOf(run) - MARKS_COMPOSED_MAX);
  return marks > max ? text : text.normalize('NFC');
}

/**
 * Characters without a shape of their own: white space, controls (except NUL, which is refused), and those that Unicode
 * tells renderers to ignore, such as joiners. Braille's blank, the null notehead and the marks of annotations are added
 * by number: Unicode does not say so of them.
 */
const INVISIBLE = /^[[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800\ufff9-\ufffb\u{1d159}]--\0]*$/v;

/**
 * Removes white space from both ends. A text in which nothing can be seen becomes empty; in others invisible characters
 * stay, because many scripts need them inside words.
 */
export function trimText(text: string): string {
  return INVISIBLE.test(text) ? '' : text.trim();
}

/** Counts code points. */
function lengthOf(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** PostgreSQL cannot store NUL, and UTF-8 cannot represent half a surrogate pair. Both are refused on both engines. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
