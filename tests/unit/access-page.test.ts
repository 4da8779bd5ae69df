import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderAccessPage } from '../support/access/page.ts';

test('docs/access.md is the table of who may do what (npm run access writes it)', () => {
  expect(readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8')).toBe(renderAccessPage());
});
