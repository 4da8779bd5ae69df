import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BOUND_TESTS, LIMIT_TESTS, TIME_BUDGET_TESTS } from '../support/security/limit-tests.ts';
import { testOf, usesOf, writeLimitsPage } from '../support/security/limits-page.ts';

test('docs/limits.md is what the tables say (npm run security writes it)', () => {
  expect(readFileSync('docs/limits.md', 'utf8')).toBe(writeLimitsPage());
});

test('every test that meets a limit is there', () => {
  const named = [LIMIT_TESTS, TIME_BUDGET_TESTS, BOUND_TESTS].flatMap(Object.values).flatMap((shown) => shown ?? []);
  const missing = named
    .map(testOf)
    .filter(({ file, title }) => title.length < 10 || !existsSync(file) || !readFileSync(file, 'utf8').includes(title));
  expect(missing).toEqual([]);
});

test('a limit that nothing applies is an error', () => {
  expect(() => usesOf('LIMITS.nothing')).toThrow('Nothing applies LIMITS.nothing.');
});
