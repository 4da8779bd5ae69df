/**
 * "Nov 22, 2026". In UTC, like the server: with the browser's time zone, hydration could change the day, and the same
 * review would have one date on its page and another in its author's list.
 */
export function dateText(instant: string): string {
  // "Sun, 22 Nov 2026 …", in these words in every browser. A formatter of Intl is slow to make.
  const [, day, month, year] = new Date(instant).toUTCString().split(' ');
  return `${month} ${Number(day)}, ${year}`;
}

/**
 * "12,345". Not `toLocaleString`, whose formatter takes a phone about 50 ms to make: a third of the time in which it
 * hydrates a page.
 */
export function numberText(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "1 review", "12,345 reviews". */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** Shown where a school or an entry has no description. */
export const NO_DESCRIPTION = 'No description yet.';

/** The length of a text as the server counts it: without spaces around it, in code points. */
export const lengthOf = (text: string) => [...text.trim().normalize('NFC')].length;

/** By how many characters a text is too long. */
export function excessOf(text: string, max: number | undefined): number {
  return max === undefined ? 0 : Math.max(0, lengthOf(text) - max);
}
