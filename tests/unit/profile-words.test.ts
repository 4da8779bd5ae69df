import { expect, test } from 'vitest';
import { parsePreference } from '../../src/server/profiles/preferences.ts';
import { distanceOf } from '../../src/server/profiles/words.ts';

const wordsOf = (text: string) => {
  const { wanted, unwanted } = parsePreference('personal', text);
  return [wanted, unwanted].map((words) => words.map(({ word }) => word));
};

test('a preference is searched by its first twenty distinct words: each is compared with every word of every school', () => {
  const many = Array.from({ length: 300 }, (_, index) => `w${index}`);
  expect(wordsOf(many.join(' '))).toEqual([many.slice(0, 20), []]);
  expect(wordsOf('Fjord fjörd FJORD '.repeat(300))).toEqual([['fjord'], []]);
});

test.each([
  ['I hate rain', [], ['rain']],
  ['quiet, no cats. Ferries', ['quiet', 'ferries'], ['cats']],
  ['no rain or snow, please', ['please'], ['rain', 'snow']],
  ['no cats but dogs', ['dogs'], ['cats']],
  ['without noise and crowds', ['crowds'], ['noise']],
  ['afraid of the very large, hairy dogs', ['hairy', 'dogs'], ['very', 'large']],
  ['avoid one two three four', ['four'], ['one', 'two', 'three']],
  ['don’t want noise', [], ['noise']],
  ["can't stand noise", [], ['stand', 'noise']],
  ["can't wait for skiing", ['skiing'], []],
  ['no preference', [], []],
  ['no problem with rain', ['rain'], []],
  ['Not only skiing', ['skiing'], []],
  ['dogs, but no dogs', [], ['dogs']],
  ['nothing notable', ['nothing', 'notable'], []],
])('%s wishes for %j and not for %j', (text, wanted, unwanted) => {
  expect(wordsOf(text)).toEqual([wanted, unwanted]);
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
  ['marine biology', 'biology marine', 14, 14],
  ['a'.repeat(300), `${'a'.repeat(299)}b`, 6, 1],
  ['a'.repeat(262), 'b'.repeat(262), 6, undefined],
  [`${'ab'.repeat(20)}xyz`, `xyz${'ab'.repeat(20)}`, 6, 6],
  [`${'ab'.repeat(20)}xyz`, `xyz${'ab'.repeat(20)}`, 5, undefined],
])('%s and %s differ by at most %i letters: %s', (one, other, max, distance) => {
  expect(distanceOf(one, other, max)).toBe(distance);
  expect(distanceOf(other, one, max)).toBe(distance);
});
