import { expect, test } from 'vitest';
import { distanceOf, wordsOf } from '../../src/server/profiles/words.ts';

test('a preference is searched by its first twenty distinct words: each is compared with every word of every school', () => {
  const many = Array.from({ length: 300 }, (_, index) => `w${index}`);
  expect(wordsOf(many.join(' '))).toEqual(many.slice(0, 20));
  expect(wordsOf('Fjord fjörd FJORD '.repeat(300))).toEqual(['fjord']);
});

test.each([
  ['marine', 'marine', 1, 0],
  ['marine', 'marina', 1, 1],
  ['marine', 'marin', 1, 1],
  ['marine', 'xmarine', 1, 1],
  ['marine', 'moraine', 2, 2],
  ['marine', 'moraine', 1, undefined],
  ['marine', 'mar', 2, undefined],
  ['', 'ab', 2, 2],
])('%s and %s differ by at most %i letters: %s', (one, other, max, distance) => {
  expect(distanceOf(one, other, max)).toBe(distance);
  expect(distanceOf(other, one, max)).toBe(distance);
});
