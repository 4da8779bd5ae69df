import { expect, test } from 'vitest';
import { summaryAfterPost } from '../../src/client/shared/reviews/summary-after-post.ts';
import type { EntrySummary } from '../../src/contract/entry-summary.ts';
import type { Relation } from '../../src/contract/review-filters.ts';
import { comparePeriods } from '../../src/contract/scores.ts';
import { meanStars, RATINGS, toHalfStars } from '../../src/contract/stars.ts';

interface Rated {
  rating: number;
  relation?: Relation;
  isRecent: boolean;
}

const tallyOf = (reviews: readonly Rated[]) => ({
  reviewCount: reviews.length,
  halfStarSum: reviews.reduce((sum, { rating }) => sum + toHalfStars(rating), 0),
});

/** The summary by its definition. */
function summaryOf(all: readonly Rated[], of?: Relation): EntrySummary {
  const reviews = all.filter(({ relation }) => of === undefined || relation === of);
  const total = tallyOf(reviews);
  const countOf = (one?: Relation) => all.filter(({ relation }) => relation === one).length;
  return {
    averageRating: reviews.length === 0 ? null : meanStars(total.halfStarSum, reviews.length),
    totalReviews: reviews.length,
    histogram: RATINGS.map((one) => reviews.filter(({ rating }) => rating === one).length),
    ...comparePeriods(tallyOf(reviews.filter((one) => one.isRecent)), tallyOf(reviews.filter((one) => !one.isRecent))),
    relations: {
      ...{ student: countOf('student'), alumnus: countOf('alumnus'), parent: countOf('parent') },
      ...{ educator: countOf('educator'), undeclared: countOf() },
    },
    isBeingChecked: false,
  };
}

/** Reviews from before the last 24 months and from since then, with every rating and relation. */
const reviewsOf = (earlier: number, recent: number): Rated[] =>
  Array.from({ length: earlier + recent }, (_, index) => ({
    rating: RATINGS[(index * 7 + earlier) % RATINGS.length] as number,
    ...(index % 3 > 0 && { relation: index % 3 === 1 ? ('student' as const) : ('parent' as const) }),
    isRecent: index >= earlier,
  }));

const POSTED: readonly Rated[] = [
  { rating: 0.5, isRecent: true },
  { rating: 4.5, relation: 'student', isRecent: true },
];

const SIZES = [0, 1, 2, 3, 4, 9, 40].flatMap((earlier) => [0, 1, 2, 3, 5, 30].map((recent) => [earlier, recent]));

test.each(SIZES)('after %d earlier and %d recent reviews it is that of all of them', (earlier = 0, recent = 0) => {
  const before = reviewsOf(earlier, recent);
  for (const posted of POSTED) {
    for (const of of [undefined, 'student'] as const) {
      const after = summaryAfterPost(summaryOf(before, of), posted, of);
      if (after) expect(after).toEqual(summaryOf([...before, posted], of));
      // Only if both periods have too few reviews for their means, there is no new summary.
      else expect(Math.max(earlier, recent), `${posted.rating} ${of}`).toBeLessThan(of ? 10 : 3);
    }
  }
});
