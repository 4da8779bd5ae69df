import { expect, test } from 'vitest';
import { countText, dateText, excessOf, numberText } from '../../src/client/format.ts';

const IN_UTC = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
const INSTANTS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 3 * month + 1)).toISOString());

test.each([...INSTANTS, '1999-12-31T23:59:59.999Z', '2028-02-29T00:00:00.000Z'])(
  '%s is written as Intl writes it in English and UTC',
  (instant) => {
    expect(dateText(instant)).toBe(IN_UTC.format(new Date(instant)));
  },
);

const COUNTS = [0, 1, 12, 999, 1_000, 12_345, 999_999, 1_000_000, 1_234_567_890];

test.each(COUNTS)('the number %d is written as Intl writes it in English', (count) => {
  expect(numberText(count)).toBe(new Intl.NumberFormat('en-US').format(count));
});

test('only one is in the singular', () => {
  expect([0, 1, 2, 1_000].map((count) => countText(count, 'school'))).toEqual([
    '0 schools',
    '1 school',
    '2 schools',
    '1,000 schools',
  ]);
});

test('a plural that is not the noun with an s can be given', () => {
  expect([1, 2].map((count) => countText(count, 'entry becomes', 'entries become'))).toEqual([
    '1 entry becomes',
    '2 entries become',
  ]);
});

test('a text is as long as the server counts it, which composes some letters of Hindi into two code points', () => {
  const composed = ['e\u0301', '\u{20bb7}', '\u095c'].map((letter) => excessOf(` ${letter.repeat(4)} `, 3));
  expect(composed).toEqual([1, 1, 5]);
  expect(excessOf('\u095c'.repeat(3), 3)).toBe(3);
});
