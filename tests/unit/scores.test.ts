import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explainWeighing, weighRatings } from '../../src/contract/scores.ts';

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
