import { expect, test } from 'vitest';
import { untilNextSweep } from '../../src/server/accounts/expiry.ts';

const MINUTE = 60_000;

test.each([
  ['at noon', '2026-03-01T12:00:00.000Z', 10 * MINUTE],
  ['five minutes before the end of the day', '2026-03-01T23:55:00.000Z', 5 * MINUTE - 1_000],
  ['just before the last sweep of the day', '2026-03-01T23:59:58.999Z', 1],
  ['at the last sweep of the day', '2026-03-01T23:59:59.000Z', 10 * MINUTE],
  ['when a day begins', '2026-03-02T00:00:00.000Z', 10 * MINUTE],
])('the next sweep is in time for the numbers of the day: %s', (_, now, wait) => {
  expect(untilNextSweep(Date.parse(now))).toBe(wait);
});
