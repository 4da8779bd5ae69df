import type { EntrySummary } from '../../../contract/entry-summary.ts';
import type { Relation } from '../../../contract/review-filters.ts';
import { comparePeriods } from '../../../contract/scores.ts';
import { meanStars, toHalfStars } from '../../../contract/stars.ts';

/** The sum of a period's half-stars; undefined where the period has too few reviews for a mean. */
const periodSum = ({ averageRating, totalReviews }: EntrySummary['earlier']) =>
  averageRating === null ? (totalReviews === 0 ? 0 : undefined) : Math.round(toHalfStars(averageRating) * totalReviews);

/** The sum of the half-stars of all reviews. */
const histogramSum = (histogram: readonly number[]) =>
  histogram.reduce((sum, count, index) => sum + count * (index + 1), 0);

/**
 * The summary of an entry after a review was posted.
 * @param summaryRelation the relation whose reviews the summary counts; undefined for a summary of all reviews
 * @returns undefined where it cannot be computed, because both periods have too few reviews to have a mean
 */
export function summaryAfterPost(
  summary: EntrySummary,
  { rating, relation }: { rating: number; relation?: Relation | undefined },
  summaryRelation: string | undefined,
): EntrySummary | undefined {
  const declared = relation ?? 'undeclared';
  const relations = { ...summary.relations, [declared]: summary.relations[declared] + 1 };
  if (summaryRelation !== undefined && summaryRelation !== relation) return { ...summary, relations };
  const sumBefore = histogramSum(summary.histogram);
  const earlierSum = periodSum(summary.earlier) ?? sumBefore - (periodSum(summary.recent) ?? Number.NaN);
  if (Number.isNaN(earlierSum)) return undefined;
  const halfStars = toHalfStars(rating);
  const histogram = summary.histogram.map((count, index) => (index === halfStars - 1 ? count + 1 : count));
  const totalReviews = summary.totalReviews + 1;
  return {
    ...summary,
    averageRating: meanStars(histogramSum(histogram), totalReviews),
    totalReviews,
    histogram,
    ...comparePeriods(
      { reviewCount: summary.recent.totalReviews + 1, halfStarSum: sumBefore - earlierSum + halfStars },
      { reviewCount: summary.earlier.totalReviews, halfStarSum: earlierSum },
    ),
    relations,
  };
}
