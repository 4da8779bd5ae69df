import type { Category } from '../../src/contract/categories.ts';
import type { Background } from '../../src/contract/reviews.ts';
import { insertEntry } from '../../src/server/entries/queries.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { type Answer, call } from './call.ts';
import { createSchool, type RunningProduct, type TestUser, unique } from './rows.ts';

const DAY = 24 * 60 * 60_000;

/** An entry of this name. */
export async function createNamedEntry(product: RunningProduct, category: Category, schoolId: number, name: string) {
  const entry = await product.app.database.write((db, commit) => {
    commit.invalidate(...changes.entriesAdded(schoolId));
    return insertEntry(db, category, schoolId, { name, description: `${name}, for tests.` });
  });
  return { id: entry.id, schoolId };
}

/** Two schools, and an entry of the same name in both but for its case. */
export async function createTwinSchools(product: RunningProduct, category: Category) {
  const name = unique('Rowing Club');
  const [from, into] = [await createSchool(product), await createSchool(product)];
  const gone = await createNamedEntry(product, category, from.id, name.toUpperCase());
  const kept = await createNamedEntry(product, category, into.id, name);
  return { from, into, gone, kept };
}

export interface DatedReview extends Background {
  rating?: number;
  daysAgo?: number;
  review?: string;
}

/** Makes a signed review without the API, so that it can be some days old. @returns its id */
export async function insertDatedReview(
  product: RunningProduct,
  category: Category,
  entry: { id: number; schoolId: number },
  user: TestUser,
  { rating = 4, daysAgo = 0, review = 'As it was.', ...background }: DatedReview = {},
): Promise<number> {
  const values = { rating, review, username: user.username, ...background };
  const written = await product.app.database.write((db, commit) => {
    commit.invalidate(...changes.reviewsChanged(entry, category.kind));
    return insertReview(db, entry, user.id, values, Date.now() + product.clock.ahead - daysAgo * DAY);
  });
  if (!written) throw new Error(`user ${user.id} has reviewed entry ${entry.id} already`);
  return written.id;
}

export const merge = (product: RunningProduct, admin: TestUser, from: number, into: number): Promise<Answer> =>
  call(product, 'POST /auth/mergeSchools', { token: admin.token, body: { from, into } });
