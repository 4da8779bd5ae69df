/** The rating scale of spec §9, shared by forms, lists, the database and the tests. */
export const RATING_MIN = 0.5;
export const RATING_MAX = 5;
export const RATING_STEP = 0.5;

/** The minimum ratings that the filter of schools offers. */
export const OFFERED_MIN_RATINGS: readonly number[] = [3, 3.5, 4, 4.5];

/** The highest rating in half-stars: ratings are stored and summed as whole numbers. */
export const HALF_STARS_MAX = RATING_MAX / RATING_STEP;

export const toHalfStars = (stars: number) => stars / RATING_STEP;

export const toStars = (halfStars: number) => halfStars * RATING_STEP;

/** The ratings, in half-stars, that count as this many whole stars: 4 gives [7, 8]. */
export const halfStarsOf = (stars: number) => [toHalfStars(stars) - 1, toHalfStars(stars)];

/** Every rating that can be given: 0.5, 1, … 5. */
export const RATINGS: readonly number[] = Array.from({ length: HALF_STARS_MAX }, (_, index) => toStars(index + 1));

/** Converts half-stars to whole stars, rounded up, for counts in five classes: 1 and 2 are 1, 9 and 10 are 5. */
export const toWholeStars = (halfStars: number) => Math.ceil(toStars(halfStars));

/** The mean of ratings, in stars; 0 without any. */
export const meanStars = (halfStarSum: number, count: number) => (count === 0 ? 0 : toStars(halfStarSum) / count);

type StarFill = 'full' | 'half' | 'empty';

/**
 * How five stars show a value: full stars are its floor; a half star follows when the fraction is at least 0.25 and
 * below 0.75. A fraction of 0.75 or more adds nothing, as the specification says (spec §9).
 */
export function starFills(value: number): StarFill[] {
  const fullStars = Math.floor(value);
  const fraction = value - fullStars;
  return Array.from({ length: RATING_MAX }, (_, index) => {
    if (index < fullStars) return 'full';
    return index === fullStars && fraction >= 0.25 && fraction < 0.75 ? 'half' : 'empty';
  });
}

/** The accessible name of a rating: "0.5 stars", "1 star", "1.5 stars". */
export function starLabel(rating: number): string {
  return `${rating} ${rating === 1 ? 'star' : 'stars'}`;
}
