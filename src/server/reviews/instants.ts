import type { Milliseconds } from '../database/tables.ts';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** Ten years of days: half a megabyte. */
const DAYS_MAX = 4_000;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const days = new Map<number, string>();

/** The date of a day since 1970, such as "2026-11-23T". */
function writeDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= DAYS_MAX) days.clear();
  const text = new Date(day * DAY).toISOString().slice(0, -'00:00:00.000Z'.length);
  days.set(day, text);
  return text;
}

/**
 * The same as `Date.prototype.toISOString`, five times as fast: the twenty dates of a list of reviews were a fifth of the
 * time that it took to make it.
 */
export function writeInstant(time: Milliseconds): string {
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const seconds = Math.floor(rest / SECOND);
  const hour = twoDigits[Math.floor(seconds / 3_600)];
  const minute = twoDigits[Math.floor(seconds / 60) % 60];
  const fraction = String(rest % SECOND).padStart(3, '0');
  return `${writeDay(day)}${hour}:${minute}:${twoDigits[seconds % 60]}.${fraction}Z`;
}
