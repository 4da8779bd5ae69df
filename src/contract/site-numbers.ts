import * as Type from 'typebox';
import { defineCall } from './call.ts';

/** How many days one answer can cover: at most, and by default. */
export const NUMBERS_DAYS = { max: 366, usual: 30 };

/** Acts that are counted when they happen, even if deleted or undone later. */
export const COUNTED_ACTS = ['signups', 'verified', 'reviews', 'reports', 'hidden', 'proposals'] as const;
export type CountedAct = (typeof COUNTED_ACTS)[number];

const Amount = Type.Integer({ minimum: 0 });

/** The numbers of one day in UTC. */
export const DayNumbers = Type.Object({
  day: Type.String({ format: 'date' }),
  signups: Amount,
  verified: Amount,
  reviews: Amount,
  reports: Amount,
  hidden: Amount,
  proposals: Amount,
  /** How many there are at the end of the day; for today: now. */
  schoolsWithReviews: Amount,
});
export type DayNumbers = Type.Static<typeof DayNumbers>;

export const getSiteNumbers = defineCall({
  name: 'getSiteNumbers',
  summary: 'How many signed up, posted, reported and so on, day by day in UTC, today last',
  access: 'admin',
  query: Type.Object({
    days: Type.Optional(Type.Integer({ title: 'The days', minimum: 1, maximum: NUMBERS_DAYS.max })),
  }),
  answer: Type.Array(DayNumbers),
});

export const NUMBERS_CALLS = [getSiteNumbers];

/** The columns of the numbers, with their headings. */
export const NUMBER_LABELS: Readonly<Record<Exclude<keyof DayNumbers, 'day'>, string>> = {
  signups: 'Sign-ups',
  verified: 'Verified',
  reviews: 'Reviews',
  reports: 'Reports',
  hidden: 'Hidden',
  proposals: 'Proposals',
  schoolsWithReviews: 'Schools with reviews',
};

export const NUMBER_COLUMNS = Object.keys(NUMBER_LABELS) as (keyof typeof NUMBER_LABELS)[];

/** The numbers as CSV, with the fields of the call as its header. */
export function csvOfNumbers(days: readonly DayNumbers[]): string {
  const columns = ['day', ...NUMBER_COLUMNS] as const;
  return [columns, ...days.map((day) => columns.map((column) => day[column]))]
    .map((row) => `${row.join(',')}\r\n`)
    .join('');
}
