import * as Type from 'typebox';
import { afterEach, expect, test, vi } from 'vitest';
import { text } from '../../src/contract/fields.ts';
import { compileCheck } from '../../src/server/http/checks.ts';

const check = compileCheck(Type.Object({ review: text({ title: 'The review', max: 5_000 }) }), false);

afterEach(() => void vi.restoreAllMocks());

test('what is too long by its marks alone is refused before they are put into order', () => {
  // In the square of their number, and nothing else happens meanwhile: what shows from outside is time alone.
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const review = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
  expect(() => check({ review })).toThrow('The review must have at most 5,000 characters.');
  expect(normalize).not.toHaveBeenCalled();
});

test.each([
  ['Vietnamese', 'e\u0323\u0302', 'ệ'],
  ['Greek', 'α\u0313\u0300\u0345', 'ᾂ'],
])('%s letters written with their marks apart count as the letters they are', (_script, apart, together) => {
  expect(check({ review: apart.repeat(5_000) })).toEqual({ review: together.repeat(5_000) });
});
