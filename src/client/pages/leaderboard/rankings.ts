import { LEADERBOARD_SHOWN, type Ranking, type Standing } from '../../../contract/leaderboard.ts';
import { explainWeighing, MANY_REVIEWS } from '../../../contract/scores.ts';
import { RATING_STEP } from '../../../contract/stars.ts';

/** A school in the order of one of both leaderboards. */
export interface RankedSchool {
  readonly schoolId: number;
  readonly schoolName: string;
  readonly totalReviews: number;
  /** What it is ranked by. */
  readonly rating: number;
  /** How its rating comes about, in figures that give it to two decimals. */
  readonly working: string;
}

function byMean({ averageRating, ...school }: Standing): RankedSchool {
  const sum = Math.round((averageRating * school.totalReviews) / RATING_STEP) * RATING_STEP;
  return {
    ...school,
    rating: averageRating,
    working: `${sum} ÷ ${school.totalReviews} = ${ratingText(averageRating)}`,
  };
}

/** The schools to show, best first; the order of the answer is not relied on (spec §7, "Leaderboard"). */
export function topSchools(answer: readonly Standing[] | Ranking): RankedSchool[] {
  if (!('rows' in answer)) {
    return answer
      .toSorted((a, b) => b.averageRating - a.averageRating)
      .slice(0, LEADERBOARD_SHOWN)
      .map(byMean);
  }
  const { rows, priorMean, priorWeight } = answer;
  return rows.slice(0, LEADERBOARD_SHOWN).map((row) => {
    const { priorMean: prior, sum, count, weightedRating } = explainWeighing(row, priorMean ?? 0);
    const mean = `mean ${ratingText(row.averageRating)}`;
    const left = row.leftOut > 0 ? `; ${row.leftOut} left out while they are being checked` : '';
    return {
      ...row,
      rating: row.weightedRating,
      working: `(${priorWeight} × ${prior} + ${sum}) ÷ (${priorWeight} + ${count}) = ${weightedRating}; ${mean}${left}`,
    };
  });
}

/** "4.50": as list, chart and table write a rating. */
export function ratingText(rating: number): string {
  return rating.toFixed(2);
}

/** "12 reviews", and of few that they are few. */
export function countText(totalReviews: number): string {
  const reviews = `${totalReviews.toLocaleString('en-US')} ${totalReviews === 1 ? 'review' : 'reviews'}`;
  return totalReviews < MANY_REVIEWS ? `${reviews} · few reviews` : reviews;
}
