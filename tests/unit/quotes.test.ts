import { expect, test } from 'vitest';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { quoteOf } from '../../src/server/reviews/voices/quote.ts';

const FAMILY = '👨‍👩‍👧‍👦';

/** Counted by hand: the quote is the beginning of the text with this number of code points. */
const CUTS: [title: string, review: string, length: number][] = [
  ['a short review as it is', 'Good.', 5],
  ['160 letters as they are', 'a'.repeat(160), 160],
  ['as many whole sentences as fit', 'The hall is warm. '.repeat(20), 8 * 18 - 1],
  ['a sentence that ends with the 160th', `${'b'.repeat(78)}. ${'c'.repeat(79)}. Then more.`, 160],
  ['not one that ends with the 161st', `${'b'.repeat(78)}. ${'c'.repeat(80)}. Then more.`, 79],
  ['sentences with a number and its point', 'It costs 3.5 pounds. '.repeat(10), 7 * 21 - 1],
  ['sentences that begin with small letters', 'the hall is warm. '.repeat(20), 8 * 18 - 1],
  ['no sentence of a title and an initial', `Prof. J. Smith teaches ${'well and '.repeat(20)}`, 157],
  ['no sentence before an abbreviation’s end', `Warm, cheap etc. and ${'near '.repeat(40)}`, 160],
  ['none before the rest of an ellipsis', `Well... the ${'food '.repeat(40)}`, 156],
  ['whole words of a long sentence', 'word '.repeat(60), 159],
  ['words before an endless one', `Good ${'a'.repeat(300)}`, 4],
  ['emoji, each one code point', '🎓 '.repeat(100), 159],
  ['emoji of seven code points, never in part', `${FAMILY} `.repeat(50), 20 * 8 - 1],
  ['Arabic sentences', 'السكن دافئ والناس لطفاء. هل هو رخيص؟ نعم. '.repeat(8), 150],
  ['Arabic words', 'كلمة '.repeat(60), 159],
  ['Chinese sentences', '宿舍很温暖，电梯总是坏。食堂便宜。'.repeat(15), 9 * 17],
  ['Thai words', 'หอพักอบอุ่นมาก'.repeat(20), 159],
];

test.each(CUTS)('a quote is %s', (_, review, length) => {
  const quote = quoteOf(review) ?? '';
  expect([...quote]).toHaveLength(length);
  expect(review.startsWith(quote)).toBe(true);
});

test('a quote of Chinese without stops ends between words', () => {
  const quote = quoteOf('宿舍很温暖电梯总是坏食堂便宜'.repeat(20)) ?? '';
  expect([...quote].length).toBeGreaterThan(150);
  expect(quote).toMatch(/(宿舍|很|温暖|电梯|总是|坏|食堂|便宜)$/u);
});

test('line breaks in a quote are blanks', () => {
  expect(quoteOf('One line\n\nand another\r\nthird\u2028last')).toBe('One line and another third last');
});

test('a quote has the same blanks as when all of a review is put into one line', () => {
  const random = createRandom(7);
  const parts = ['Warm.', 'a hall', '宿舍', '🎓', ' ', '   ', '\t', '\n', '\r\n', ' \n\n ', '\u2028', '\u2029 '];
  for (let round = 0; round < 500; round += 1) {
    const review = Array.from({ length: random.below(120) }, () => random.pick(parts)).join('');
    const inOneLine = review.trim().replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' ');
    expect(quoteOf(review)).toBe(quoteOf(inOneLine));
    expect(inOneLine.startsWith(quoteOf(review) ?? '')).toBe(true);
  }
});

test.each([
  ['one endless word', 'a'.repeat(161)],
  ['one endless word before thousands of blanks', `${'a'.repeat(170)}${' '.repeat(4_829)}b`],
  ['a long web address', `https://example.com/${'x/'.repeat(100)} is where.`],
  ['emoji without a blank', '🎓'.repeat(161)],
])('there is no quote of %s', (_, review) => {
  expect(quoteOf(review)).toBeUndefined();
});
