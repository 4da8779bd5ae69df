import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { BACKGROUND_FIELDS } from '../../src/contract/reviews.ts';

const FILES = globSync(['src/**/*.ts', 'src/**/*.tsx']).filter((path) => !path.endsWith('contract/categories.ts'));

test('no file but the registry names a kind of category', () => {
  expect(FILES.length).toBeGreaterThan(100);
  const names = CATEGORIES.map(({ kind }) => kind);
  const literal = new RegExp(`(['"\`])(?:${names.join('|')})\\1`);
  const found = FILES.filter((path) => literal.test(readFileSync(path, 'utf8')));
  expect(found).toEqual([]);
});

test.each(CATEGORIES)('the README names $label', ({ label }) => {
  expect(readFileSync('README.md', 'utf8')).toMatch(new RegExp(`by category: [^.]*\\b${label}\\b`));
});

test.each(BACKGROUND_FIELDS)('docs/data.md names %s among the fields of a review', (field) => {
  expect(readFileSync('docs/data.md', 'utf8')).toMatch(new RegExp(`^\\| \`review\` \\|.*\`${field}\`\\?`, 'm'));
});
