import { describe, expect, test } from 'vitest';
import { comparisonSentence } from '../../src/client/pages/site/removals-texts.ts';

type Pair = readonly [posted: number, hidden: number];

/** The sentence about reviews of two, three and four stars. */
const sentenceOf = (low: Pair, high: Pair, middle: Pair = [0, 0]) =>
  comparisonSentence([low, middle, high].map(([posted, hidden], index) => ({ stars: index + 2, posted, hidden })));

describe('the sentence that compares removed reviews', () => {
  test('compares percentages where there are a hundred of both, and else counts with counts', () => {
    expect(sentenceOf([400, 10], [2_500, 6])).toBe(
      'Of the reviews with one or two stars, 2.5% are hidden; of those with four or five, 0.24%.',
    );
    expect(sentenceOf([91, 1], [2_500, 6])).toBe(
      'Of the reviews with one or two stars, 1 of 91 is hidden; of those with four or five, 6 of 2,500.',
    );
    expect(sentenceOf([1, 0], [33, 2])).toBe(
      'Of the reviews with one or two stars, 0 of 1 are hidden; of those with four or five, 2 of 33.',
    );
  });

  test('says so where nobody has given these stars, or no review is hidden', () => {
    expect(sentenceOf([0, 0], [120, 1])).toBe(
      'No review has one or two stars; of those with four or five, 1 of 120 is hidden.',
    );
    expect(sentenceOf([2, 2], [0, 0])).toBe(
      'Of the reviews with one or two stars, 2 of 2 are hidden; none has four or five.',
    );
    expect(sentenceOf([0, 0], [0, 0], [5, 1])).toBe('No review has one or two stars; none has four or five.');
    expect(sentenceOf([91, 0], [2_500, 0])).toBe('No review is hidden now.');
  });
});
