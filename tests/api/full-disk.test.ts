import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { checkCounts } from '../../src/server/commands/count-checks/check.ts';
import { findDamage } from '../../src/server/database/integrity.ts';
import { call } from '../support/call.ts';
import { connectForTest, eventually } from '../support/postgres-faults.ts';
import { createPostgresDatabase, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';
import { startForTest } from '../support/site.ts';

const [category] = CATEGORIES as readonly [Category, ...Category[]];
const REVIEW = 'x'.repeat(5_000);

let product: Product;
beforeEach(async () => {
  product = await startProduct('sqlite');
});
afterEach(() => product.stop());

/** To SQLite a file that may not grow is a full disk. A limit of 0 pages changes nothing. */
const limitPages = (pages: number) =>
  product.app.database.write((db) => sql`pragma max_page_count = ${sql.lit(pages)}`.execute(db));

test('on a full disk posts are refused for the moment and reads go on, until there is room', async () => {
  const entries = await Promise.all(Array.from({ length: 8 }, () => createEntry(product, category)));
  const user = await createUser(product);
  const post = (entryId: number) => postReview(product, category, entryId, user, { review: REVIEW });
  await limitPages(1);
  const answers = [];
  for (const { id } of entries) answers.push(await post(id));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused) {
    expect(status).toBe(503);
    expect(Object.keys(body)).toEqual(['error']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const taken = await Promise.all(
    entries.map(async ({ id }) => (await call(product, `GET /auth/${category.calls.totalReviews}/${id}`)).body),
  );
  expect(taken.map(({ totalReviews }) => totalReviews)).toEqual(answers.map(({ status }) => (status === 201 ? 1 : 0)));

  await limitPages(1_000_000);
  expect((await call(product, 'GET /readyz')).status).toBe(200);
  expect((await post(entries[answers.findIndex(({ status }) => status !== 201)]?.id ?? 0)).status).toBe(201);
  expect(await findDamage(product.app.database.read)).toEqual([]);
  expect((await checkCounts(product.app.database.read)).faults).toEqual([]);
});

test('a process whose database accepts no writes is not ready until it does', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const onPostgres = await startForTest('postgres', { DATABASE_URL });
  const [entry, user] = [await createEntry(onPostgres, category), await createUser(onPostgres)];
  const operator = await connectForTest(DATABASE_URL);
  await operator.query('set default_transaction_read_only = off');
  // The database is read-only as during a failover. Only new sessions take up the setting.
  const setReadOnly = async (isReadOnly: boolean) => {
    await operator.query(`alter database ${operator.database} set default_transaction_read_only = ${isReadOnly}`);
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  };
  const ready = async () => (await call(onPostgres, 'GET /readyz')).status;

  await setReadOnly(true);
  await eventually(ready).toBe(200);
  expect((await postReview(onPostgres, category, entry.id, user)).status).toBe(503);
  expect(await ready()).toBe(503);
  expect((await call(onPostgres, 'GET /healthz')).status).toBe(200);
  expect((await call(onPostgres, 'GET /auth/schools')).status).toBe(200);
  await setReadOnly(false);
  await eventually(ready).toBe(200);
  expect((await postReview(onPostgres, category, entry.id, user)).status).toBe(201);
});
