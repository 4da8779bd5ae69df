import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The last column of each row: "chrome: the menu on; api/names: has the pages". */
const rows = read('docs/specification.md')
  .split('\n')
  .filter((line) => line.startsWith('| §'))
  .map((line) => line.split(' | ').at(-1)?.replace(/ \|$/, '') ?? '');

const fileOf = (name: string) => `tests/${name.includes('/') ? name : `browser/${name}`}.test.ts`;

test('the table has a row for each part of the specification', () => {
  expect(rows.length).toBeGreaterThan(45);
});

test.each(rows)('there is the test that docs/specification.md names: %s', (row) => {
  for (const named of row.split('; ')) {
    const [name = '', words = ''] = named.split(/: (.*)/);
    const file = fileOf(name);
    expect(existsSync(new URL(`../../${file}`, import.meta.url)), `${named}: ${file}`).toBe(true);
    expect(words, named).not.toBe('');
    expect(read(file), named).toContain(words);
  }
});
