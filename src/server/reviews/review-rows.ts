import { BACKGROUND_FIELDS, type Background, type Review } from '../../contract/reviews.ts';
import { toStars } from '../../contract/stars.ts';
import { writeInstant } from '../database/instants.ts';
import type { BackgroundRow } from '../database/review-tables.ts';
import type { StoredRow } from '../database/tables.ts';

/** The columns that `reviewOf` needs. */
export const REVIEW_COLUMNS = [
  ...(['id', 'review', 'half_stars', 'created_at', 'edited_at', 'username', 'helpful'] as const),
  ...BACKGROUND_FIELDS,
];

export type ReviewRow = Pick<StoredRow<'reviews'>, (typeof REVIEW_COLUMNS)[number]>;

/** The columns of a background, all of them: an absent value is null. */
export const toBackgroundRow = (given: Background) =>
  Object.fromEntries(BACKGROUND_FIELDS.map((field) => [field, given[field] ?? null])) as BackgroundRow;

/** The background in a row, without the fields that are null. */
export function backgroundOf(row: BackgroundRow): Background {
  const background: Background = {};
  addBackground(background, row);
  return background;
}

function addBackground(target: Record<string, unknown>, row: BackgroundRow): void {
  for (const field of BACKGROUND_FIELDS) if (row[field] !== null) target[field] = row[field];
}

/**
 * The public form of a review. Its fields are listed one by one, so that no other column can become public. The
 * optional ones are assigned: spreading them would take as long as the JSON of the whole review.
 */
export function reviewOf(row: ReviewRow): Review {
  const review: Partial<Review> = {
    id: row.id,
    review: row.review,
    rating: toStars(row.half_stars),
    createdAt: writeInstant(row.created_at),
  };
  if (row.edited_at !== null) review.editedAt = writeInstant(row.edited_at);
  addBackground(review, row);
  review.helpful = row.helpful;
  if (row.username !== null) review.username = row.username;
  // Safe: only optional fields can be missing.
  return review as Review;
}
