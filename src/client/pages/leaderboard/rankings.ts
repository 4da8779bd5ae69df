import { LEADERBOARD_SHOWN, type Standing } from '../../../contract/leaderboard.ts';

/** The schools to show, best first; the order of the answer is not relied on (spec §7, "Leaderboard"). */
export function topSchools(standings: readonly Standing[]): Standing[] {
  return standings.toSorted((a, b) => b.averageRating - a.averageRating).slice(0, LEADERBOARD_SHOWN);
}

/** "4.50": as list, chart and table write a rating. */
export function ratingText(rating: number): string {
  return rating.toFixed(2);
}
