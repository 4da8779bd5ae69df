import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { LOCK_ORDER } from '../../src/server/database/postgres-migration.ts';
import { DATA_TABLES } from '../../src/server/database/table-rows.ts';
import { captureQueries, tablesOf } from '../support/plans.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

test('a migration locks every table there is', () => {
  expect([...LOCK_ORDER].sort()).toEqual([...DATA_TABLES].sort());
});

test.each([
  ['one statement', true],
  ['a transaction', false],
])('a migration locks tables in the order of a post by %s', async (_by, isOneStatement) => {
  const product = await startForTest('postgres', { RATE_LIMIT: 'on' });
  const [category] = CATEGORIES;
  if (!category) throw new Error('There is no category.');
  const [entry, author] = [await createEntry(product, category), await createUser(product)];
  await postReview(product, category, entry.id, await createUser(product));
  if (!isOneStatement) delete (product.app.database as { writeInOneStatement?: unknown }).writeInOneStatement;
  const queries = await captureQueries(() => postReview(product, category, entry.id, author));
  // `stored reviews` declares a row of that type. No table is read by it.
  const tables = queries.flatMap((query) => tablesOf({ ...query, text: query.text.replace('stored reviews', '') }));
  // Before its transaction, a post looks up who sends it; the limit is the first thing inside.
  const ofPost = [...new Set(tables.slice(tables.indexOf('throttles')))];
  const asked = ['throttles', 'entries', 'reviews', 'users', 'review_counts', 'moderation_items', 'site_acts'];
  // The one statement locks all its tables at the same moment, and names `relation_counts` for every post.
  const ordered = ofPost.filter((table) => !isOneStatement || table !== 'relation_counts');
  expect(ordered).toEqual(asked);
  expect(LOCK_ORDER.filter((table) => ordered.includes(table))).toEqual(ordered);
  // The foreign key of a review's author is checked when the row is there.
  expect(LOCK_ORDER.indexOf('users')).toBeGreaterThan(LOCK_ORDER.indexOf('reviews'));
});
