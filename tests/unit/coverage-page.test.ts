import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';

test('docs/coverage.md names every page and call and no other (npm run coverage writes it)', () => {
  const text = readFileSync(new URL('../../docs/coverage.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([^`]+)` \| \S.* \| (\d+) \|$/gm)];
  const expected = [...ALL_PAGES.map(({ path }) => path), ...CALLS.map(({ method, path }) => `${method} ${path}`)];
  expect(rows.map(([, name]) => name)).toEqual(expected);
  for (const [line, , count] of rows) expect(Number(count), line).toBeGreaterThan(0);
});
