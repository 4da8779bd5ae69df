import type { Category } from '../../src/contract/categories.ts';
import { tags } from '../../src/server/http/cache/tags.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { createEntry, createUser, type RunningProduct, type TestUser } from './rows.ts';

const DAY = 24 * 60 * 60_000;

type Values = Parameters<typeof insertReview>[3];

/**
 * An entry with many reviews, each by another user, newest first.
 * @param valuesOf what the review with this index says, and how many days ago
 */
export async function createReviewedEntry(
  product: RunningProduct,
  category: Category,
  amount: number,
  valuesOf: (index: number) => Partial<Values> & { daysAgo?: number },
) {
  const entry = await createEntry(product, category);
  const users: TestUser[] = [];
  for (let index = 0; index < amount; index += 1) users.push(await createUser(product));
  await product.app.database.write(async (db, commit) => {
    commit.invalidate(tags.reviewsOf(entry.id));
    for (const [index, user] of users.entries()) {
      const { daysAgo = index, ...values } = valuesOf(index);
      const review = { rating: 3.5, review: `Review number ${index + 1}.`, username: user.username, ...values };
      await insertReview(db, entry, user.id, review, Date.now() - daysAgo * DAY);
    }
  });
  return entry;
}
