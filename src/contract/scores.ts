/**
 * The formulas of all scores. The server computes with them, pages explain them with the same constants, and tests
 * check them with results computed by hand.
 */

import { meanStars, RATING_STEP } from './stars.ts';

/** How many average reviews are added to those of a school for its weighted mean. */
export const PRIOR_WEIGHT = 10;

/** "Recent" means within this many months. */
export const RECENT_MONTHS = 24;

/** The number of recent reviews from which a category of a school counts as covered. */
export const COVERED_FROM = 3;

/**
 * The start of the period of the last `months` months: at 00:00 UTC of the same day of the month, or of the last day of
 * a shorter month.
 * @param now in milliseconds since 1970
 */
export function periodStart(months: number, now: number): number {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(today.getUTCDate(), lastDay));
}

/** The number of reviews from which a school can lead a comparison. Below it, pages say "few reviews". */
export const MANY_REVIEWS = 5;

/** The number of ratings and their sum in stars. */
interface RatingSum {
  readonly count: number;
  readonly sum: number;
}

/** The mean of a school's ratings and `PRIOR_WEIGHT` additional ratings that equal the mean of the category. */
export function weighRatings({ count, sum }: RatingSum, priorMean: number): number {
  return (PRIOR_WEIGHT * priorMean + sum) / (PRIOR_WEIGHT + count);
}

/** The figures of a weighted rating as a page shows them. */
interface WeighingFigures extends RatingSum {
  /** Rounded to as many decimals as are needed: `weighRatings` with the shown figures must give the shown score. */
  readonly priorMean: string;
  /** With two decimals. */
  readonly weightedRating: string;
}

const PRIOR_DECIMALS_MIN = 2;
const PRIOR_DECIMALS_MAX = 15;

/** The figures from which readers can compute a row of the weighted ranking themselves. */
export function explainWeighing(
  row: { totalReviews: number; leftOut: number; weightedRating: number },
  priorMean: number,
): WeighingFigures {
  const count = row.totalReviews - row.leftOut;
  const inexactSum = row.weightedRating * (PRIOR_WEIGHT + count) - PRIOR_WEIGHT * priorMean;
  // Ratings are multiples of half a star, and so is their sum.
  const sum = Math.round(inexactSum / RATING_STEP) * RATING_STEP;
  const weightedRating = row.weightedRating.toFixed(2);
  for (let decimals = PRIOR_DECIMALS_MIN; decimals < PRIOR_DECIMALS_MAX; decimals += 1) {
    const shown = priorMean.toFixed(decimals);
    if (weighRatings({ count, sum }, Number(shown)).toFixed(2) === weightedRating) {
      return { count, sum, priorMean: shown, weightedRating };
    }
  }
  return { count, sum, priorMean: String(priorMean), weightedRating };
}

/** How many standard errors a lead must exceed. Chance alone exceeds this one time in twenty. */
export const LEAD_ERRORS = 1.96;

/** Added to the squared deviations and to the number of reviews, because a few equal ratings do not prove agreement. */
export const SPREAD_PRIOR = 5;

export const VERDICTS = ['none', 'few', 'close', 'lead'] as const;

/** A school in one category, with the number of its reviews for each rating from half a star on. */
interface RatedSchool {
  readonly schoolId: number;
  readonly counts: readonly number[];
}

/**
 * How many reviews there are, their mean in stars (NaN without any) and their variance, pulled towards 1 by
 * `SPREAD_PRIOR`.
 * @param counts the number of reviews for each rating, from half a star on
 */
export function spreadOf(counts: readonly number[]) {
  const sumOf = (value: (stars: number) => number) =>
    counts.reduce((total, amount, index) => total + amount * value((index + 1) * RATING_STEP), 0);
  const count = sumOf(() => 1);
  const mean = sumOf((stars) => stars) / count;
  const variance = (sumOf((stars) => (stars - mean) ** 2) + SPREAD_PRIOR) / (count + SPREAD_PRIOR);
  return { count, mean, variance };
}

type Spread = ReturnType<typeof spreadOf>;

function isAhead(best: Spread, other: Spread): boolean {
  const error = Math.sqrt(best.variance / best.count + other.variance / other.count);
  return best.mean - other.mean > LEAD_ERRORS * error;
}

/** Decides which school leads in one category, if the reviews are enough to decide it. */
export function compareRatings(schools: readonly RatedSchool[]): {
  verdict: (typeof VERDICTS)[number];
  leader?: number;
} {
  const rated = schools
    .map(({ schoolId, counts }) => ({ schoolId, ...spreadOf(counts) }))
    .filter(({ count }) => count > 0);
  if (rated.length < 2) return { verdict: 'none' };
  const [best, ...others] = rated
    .filter(({ count }) => count >= MANY_REVIEWS)
    .sort((one, other) => other.mean - one.mean);
  if (!best || others.length === 0) return { verdict: 'few' };
  return others.every((other) => isAhead(best, other))
    ? { verdict: 'lead', leader: best.schoolId }
    : { verdict: 'close' };
}

/** The number of reviews that a period needs to have a mean. */
export const PERIOD_REVIEWS_MIN = 3;

/** The difference in stars from which the means of two periods count as changed. */
export const CHANGE_MIN = 0.25;

/** The number of reviews of a period and their sum in half-stars. */
interface PeriodTally {
  readonly reviewCount: number;
  readonly halfStarSum: number;
}

const periodOf = ({ reviewCount, halfStarSum }: PeriodTally) => ({
  averageRating: reviewCount < PERIOD_REVIEWS_MIN ? null : meanStars(halfStarSum, reviewCount),
  totalReviews: reviewCount,
});

/** Compares a recent period with an earlier one: their means, where there are enough reviews, and the change. */
export function comparePeriods(recent: PeriodTally, earlier: PeriodTally) {
  return {
    recent: { months: RECENT_MONTHS, ...periodOf(recent) },
    earlier: periodOf(earlier),
    change: changeOf(recent, earlier),
  };
}

function changeOf(recent: PeriodTally, earlier: PeriodTally): 'up' | 'down' | 'steady' | null {
  if (Math.min(recent.reviewCount, earlier.reviewCount) < PERIOD_REVIEWS_MIN) return null;
  // In whole numbers: floating-point means are not exact, and a difference of exactly CHANGE_MIN counts as a change.
  const difference = recent.halfStarSum * earlier.reviewCount - earlier.halfStarSum * recent.reviewCount;
  const smallestChange = (CHANGE_MIN / RATING_STEP) * recent.reviewCount * earlier.reviewCount;
  if (Math.abs(difference) < smallestChange) return 'steady';
  return difference > 0 ? 'up' : 'down';
}
