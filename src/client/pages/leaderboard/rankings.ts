import { LEADERBOARD_SHOWN, type Ranking, type Standing } from '../../../contract/leaderboard.ts';
import { explainWeighing, MANY_REVIEWS } from '../../../contract/scores.ts';
import { RATING_STEP } from '../../../contract/stars.ts';
import { countText } from '../../format.ts';

/** A row of either leaderboard. */
export interface RankedSchool {
  readonly schoolId: number | undefined;
  readonly schoolName: string;
  readonly totalReviews: number | undefined;
  /** Whether its figures count reviews that are being checked. */
  readonly isBeingChecked?: boolean | undefined;
  /** The value that the schools are ranked by. */
  readonly rating: number;
  /** How the rating is calculated, with figures that reproduce it to two decimals. */
  readonly calculation: string | undefined;
}

function byMean({ averageRating, ...school }: Standing): RankedSchool {
  // Other servers answer null, which is what SQL makes of a mean of nothing, or a decimal as a text.
  const rating = Number(averageRating) || 0;
  return { ...school, rating, calculation: explainMean(rating, school.totalReviews) };
}

function explainMean(mean: number, totalReviews: number | undefined): string | undefined {
  if (totalReviews === undefined) return undefined;
  const sum = Math.round((mean * totalReviews) / RATING_STEP) * RATING_STEP;
  return `${sum} ÷ ${totalReviews} = ${ratingText(mean)}`;
}

/**
 * The schools to show, best first. They are sorted here: the order of the answer does not matter (spec §7,
 * "Leaderboard").
 */
export function topSchools(answer: readonly Standing[] | Ranking): RankedSchool[] {
  if (!('rows' in answer)) {
    return answer
      .map(byMean)
      .toSorted((a, b) => b.rating - a.rating)
      .slice(0, LEADERBOARD_SHOWN);
  }
  const { rows, priorMean, priorWeight } = answer;
  return rows.slice(0, LEADERBOARD_SHOWN).map((row) => {
    const { priorMean: prior, sum, count, weightedRating } = explainWeighing(row, priorMean ?? 0);
    const mean = `mean ${ratingText(row.averageRating)}`;
    const leftOut = row.leftOut > 0 ? `; ${row.leftOut} left out while they are being checked` : '';
    return {
      ...row,
      rating: row.weightedRating,
      calculation: `(${priorWeight} × ${prior} + ${sum}) ÷ (${priorWeight} + ${count}) = ${weightedRating}; ${mean}${leftOut}`,
    };
  });
}

/** "4.50": the form of a rating in list, chart and table. */
export function ratingText(rating: number): string {
  return rating.toFixed(2);
}

/** Whether a rating rests on so few reviews that it says little. It is then drawn lighter, and a text says so too. */
export function hasFewReviews({ totalReviews }: RankedSchool): boolean {
  return totalReviews !== undefined && totalReviews < MANY_REVIEWS;
}

/** "12 reviews", or "3 reviews · few reviews". Empty if their number is unknown. */
export function reviewCountText(school: RankedSchool): string {
  if (school.totalReviews === undefined) return '';
  const reviews = countText(school.totalReviews, 'review');
  return hasFewReviews(school) ? `${reviews} · few reviews` : reviews;
}
