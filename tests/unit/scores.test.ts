import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareRatings,
  explainWeighing,
  LEAD_ERRORS,
  MANY_REVIEWS,
  SPREAD_PRIOR,
  spreadOf,
  weighRatings,
} from '../../src/contract/scores.ts';

test('the figures shown of a weighted rating reproduce it to two decimals, whatever they are', () => {
  const ratings = fc
    .integer({ min: 1, max: 20_000 })
    .chain((count) => fc.record({ count: fc.constant(count), halfStars: fc.integer({ min: count, max: 10 * count }) }));
  fc.assert(
    fc.property(ratings, fc.double({ min: 0.5, max: 5, noNaN: true }), ({ count, halfStars }, priorMean) => {
      const exact = { count, sum: halfStars / 2 };
      const weightedRating = weighRatings(exact, priorMean);
      const shown = explainWeighing({ totalReviews: count + 3, leftOut: 3, weightedRating }, priorMean);
      expect(shown).toMatchObject({ ...exact, weightedRating: weightedRating.toFixed(2) });
      expect(weighRatings(shown, Number(shown.priorMean)).toFixed(2)).toBe(shown.weightedRating);
      expect(priorMean.toFixed(2).length).toBeLessThanOrEqual(shown.priorMean.length);
    }),
    { numRuns: 2_000 },
  );
});

test('a lead begins where the difference is larger than the error of both means says by chance', () => {
  // Forty reviews: 24 of 4.5 and 16 of 4, so the squared deviations from 4.3 are 24 · 0.04 + 16 · 0.09 = 2.4.
  const counts = [0, 0, 0, 0, 0, 0, 0, 16, 24, 0];
  const { count, mean, variance } = spreadOf(counts);
  expect([count, mean]).toEqual([40, 4.3]);
  expect(variance).toBeCloseTo((2.4 + SPREAD_PRIOR) / (40 + SPREAD_PRIOR), 12);
  const smallest = LEAD_ERRORS * Math.sqrt((2 * variance) / 40);
  expect(smallest).toBeCloseTo(0.1777, 4);
  // Each 4 in place of a 4.5 lowers the mean by 0.0125.
  const verdictAt = (moved: number) =>
    compareRatings([
      { schoolId: 1, counts },
      { schoolId: 2, counts: [0, 0, 0, 0, 0, 0, 0, 16 + moved, 24 - moved, 0] },
    ]);
  expect(verdictAt(13)).toEqual({ verdict: 'close' });
  expect(verdictAt(15)).toEqual({ verdict: 'lead', leader: 1 });
});

test('schools count from MANY_REVIEWS reviews on', () => {
  const of = (amount: number, halfStars: number) =>
    Array.from({ length: 10 }, (_, at) => (at === halfStars - 1 ? amount : 0));
  const verdictOf = (amount: number) =>
    compareRatings([
      { schoolId: 1, counts: of(amount, 10) },
      { schoolId: 2, counts: of(MANY_REVIEWS, 2) },
    ]).verdict;
  expect([verdictOf(MANY_REVIEWS - 1), verdictOf(MANY_REVIEWS)]).toEqual(['few', 'lead']);
});
