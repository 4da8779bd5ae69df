/**
 * The arithmetic behind scores, in one place: the server answers with it, pages explain it with the same constants, and
 * tests compute it by hand.
 */

import { meanStars, RATING_STEP } from './stars.ts';

/** How many average reviews are added to those of a school when it is weighed. */
export const PRIOR_WEIGHT = 10;

/** "Recent" means: posted within so many months. */
export const RECENT_MONTHS = 24;

/** A category of a school is covered from so many recent reviews on. */
export const COVERED_FROM = 3;

/**
 * When the period of so many months until now began: at 00:00 UTC of the same day of the month, or of the last day of a
 * shorter one.
 * @param now in milliseconds since 1970
 */
export function periodStart(months: number, now: number): number {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(today.getUTCDate(), lastDay));
}

/** From so many reviews on a school can lead a comparison; fewer are called few. */
export const MANY_REVIEWS = 5;

/** Ratings in number and in sum, in stars. */
interface RatingSum {
  readonly count: number;
  readonly sum: number;
}

/** The mean of a school's ratings and of `PRIOR_WEIGHT` more that give the mean of the category. */
export function weighRatings({ count, sum }: RatingSum, priorMean: number): number {
  return (PRIOR_WEIGHT * priorMean + sum) / (PRIOR_WEIGHT + count);
}

/** The figures behind a weighted rating as a page shows them. */
interface WeighingFigures extends RatingSum {
  /** With so many decimals that `weighRatings` of the figures shown gives the score shown. */
  readonly priorMean: string;
  /** To two decimals. */
  readonly weightedRating: string;
}

const PRIOR_DECIMALS_MIN = 2;
const PRIOR_DECIMALS_MAX = 15;

/** The figures that anyone can reproduce a row of the weighted ranking from. */
export function explainWeighing(
  row: { totalReviews: number; leftOut: number; weightedRating: number },
  priorMean: number,
): WeighingFigures {
  const count = row.totalReviews - row.leftOut;
  const exact = row.weightedRating * (PRIOR_WEIGHT + count) - PRIOR_WEIGHT * priorMean;
  // Ratings come in half-stars, so their sum does.
  const sum = Math.round(exact / RATING_STEP) * RATING_STEP;
  const weightedRating = row.weightedRating.toFixed(2);
  for (let decimals = PRIOR_DECIMALS_MIN; decimals < PRIOR_DECIMALS_MAX; decimals += 1) {
    const shown = priorMean.toFixed(decimals);
    if (weighRatings({ count, sum }, Number(shown)).toFixed(2) === weightedRating) {
      return { count, sum, priorMean: shown, weightedRating };
    }
  }
  return { count, sum, priorMean: String(priorMean), weightedRating };
}

/** A lead is larger than so many standard errors: chance alone makes a difference of this size one time in twenty. */
export const LEAD_ERRORS = 1.96;

/** Added to the squared deviations and to the number of reviews: a few equal ratings are no proof of agreement. */
export const SPREAD_PRIOR = 5;

export const VERDICTS = ['none', 'few', 'close', 'lead'] as const;

/** A school with its reviews in one category, counted for each number of half-stars from 1 on. */
interface RatedSchool {
  readonly schoolId: number;
  readonly counts: readonly number[];
}

/** @param counts reviews for each number of half-stars, from 1 on */
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

/** Which of several schools leads in one category, if the reviews can tell. */
export function judge(schools: readonly RatedSchool[]): { verdict: (typeof VERDICTS)[number]; leader?: number } {
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

/** With fewer reviews a period has no mean. */
export const PERIOD_REVIEWS_MIN = 3;

/** Means of two periods that differ by so many stars have changed. */
export const CHANGE_MIN = 0.25;

/** The reviews of a period, in number and in half-stars. */
interface PeriodTally {
  readonly reviewCount: number;
  readonly halfStarSum: number;
}

const periodOf = ({ reviewCount, halfStarSum }: PeriodTally) => ({
  averageRating: reviewCount < PERIOD_REVIEWS_MIN ? null : meanStars(halfStarSum, reviewCount),
  totalReviews: reviewCount,
});

/** Then and now: the means of both periods where there are enough reviews, and what they say together. */
export function thenAndNow(recent: PeriodTally, earlier: PeriodTally) {
  return {
    recent: { months: RECENT_MONTHS, ...periodOf(recent) },
    earlier: periodOf(earlier),
    change: changeOf(recent, earlier),
  };
}

function changeOf(recent: PeriodTally, earlier: PeriodTally): 'up' | 'down' | 'steady' | null {
  if (Math.min(recent.reviewCount, earlier.reviewCount) < PERIOD_REVIEWS_MIN) return null;
  // Multiplied out: a difference of means is not exact, and one of exactly CHANGE_MIN counts.
  const difference = recent.halfStarSum * earlier.reviewCount - earlier.halfStarSum * recent.reviewCount;
  const least = (CHANGE_MIN / RATING_STEP) * recent.reviewCount * earlier.reviewCount;
  if (Math.abs(difference) < least) return 'steady';
  return difference > 0 ? 'up' : 'down';
}
