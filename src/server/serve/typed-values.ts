/** Numbers as a path or query spells them: no sign, no exponent, exact in a double. */
const SPELLINGS = { integer: /^\d{1,16}$/, number: /^\d{1,12}(?:\.\d{1,3})?$/ };

/** The number that a text of an address spells; the text itself when it spells none. */
export function readNumber(text: string, type: 'integer' | 'number'): number | string {
  return SPELLINGS[type].test(text) ? Number(text) : text;
}

/** The longest sequence that composes into one character: a Greek vowel with three marks. */
const MARKS_COMPOSED_MAX = 3;

/** All characters below U+0300 are composed as they are: most texts need neither of the two slow looks. */
const MAY_COMPOSE = /[\u0300-\uffff]/;

/**
 * Composes a text, unless its marks alone are more than it may have characters: marks on one character are put into
 * order first, in the square of their number, and 30,000 of them stopped everything for half a second.
 */
export function compose(text: string, max: number): string {
  if (!MAY_COMPOSE.test(text)) return text;
  let marks = 0;
  for (const [run] of text.matchAll(/\p{M}+/gu)) marks += Math.max(0, lengthOf(run) - MARKS_COMPOSED_MAX);
  return marks > max ? text : text.normalize('NFC');
}

/** Counts code points. */
function lengthOf(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

/** PostgreSQL cannot store NUL, UTF-8 cannot carry half a surrogate pair: refused everywhere, so engines agree. */
export function isStorable(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}
