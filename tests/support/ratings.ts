import type { Category } from '../../src/contract/categories.ts';
import { toHalfStars } from '../../src/contract/stars.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertReviews } from '../../src/server/reviews/queries.ts';
import { createEntry, createUser, type RunningProduct } from './rows.ts';

const authors = new WeakMap<RunningProduct, number[]>();

/** Users without other data, the same ones for every entry. */
async function requireAuthors(product: RunningProduct, amount: number): Promise<number[]> {
  const ids = authors.get(product) ?? [];
  authors.set(product, ids);
  while (ids.length < amount) ids.push((await createUser(product)).id);
  return ids;
}

/** A list of equal ratings: `times(3, 4.5)` is [4.5, 4.5, 4.5]. */
export const times = (amount: number, rating: number): number[] => Array<number>(amount).fill(rating);

interface RatingOptions {
  /** In milliseconds; now unless given. */
  createdAt?: number;
  /** The text of the reviews. */
  review?: string;
}

/** A new entry of a school with these ratings, each by another user. */
export async function createRatedEntry(
  product: RunningProduct,
  category: Category,
  schoolId: number,
  ratings: readonly number[],
  { createdAt = Date.now() + product.clock.ahead, review = 'As expected.' }: RatingOptions = {},
) {
  const entry = await createEntry(product, category, schoolId);
  const userIds = await requireAuthors(product, ratings.length);
  const reviews = ratings.map((rating, index) => ({
    entryId: entry.id,
    schoolId,
    userId: userIds[index] as number,
    username: null,
    halfStars: toHalfStars(rating),
    review,
    createdAt,
  }));
  if (reviews.length === 0) return entry;
  await product.app.database.write(async (db, commit) => {
    await insertReviews(db, reviews);
    commit.invalidate(...changes.reviewsChanged(entry, category.kind));
  });
  return entry;
}
