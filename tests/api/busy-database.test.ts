import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { startChild, waitForAddress } from '../support/child.ts';
import { eventually } from '../support/postgres-faults.ts';
import { type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';

const [category] = CATEGORIES as readonly [Category, ...Category[]];

let product: Product;
let others: DatabaseSync;
beforeEach(async () => {
  product = await startProduct('sqlite');
  others = new DatabaseSync(join(product.dataDir, 'school-reviews.sqlite'));
});
afterEach(async () => {
  others.close();
  await product.stop();
});

test('while another process holds the write lock reads are answered and a post waits for it', async () => {
  const [entry, user] = [await createEntry(product, category), await createUser(product)];
  others.exec('BEGIN IMMEDIATE');
  const post = postReview(product, category, entry.id, user);
  const list = `GET /auth/${category.calls.reviews}/${entry.id}`;
  for (let count = 0; count < 20; count += 1)
    expect(await call(product, list)).toMatchObject({ status: 200, body: [] });
  others.exec('COMMIT');
  expect((await post).status).toBe(201);
  expect((await call(product, list)).body).toHaveLength(1);
});

test('a post that waits too long is refused with 503 and changes nothing', async () => {
  const [entry, user] = [await createEntry(product, category), await createUser(product)];
  others.exec('BEGIN IMMEDIATE');
  const refused = await postReview(product, category, entry.id, user);
  others.exec('COMMIT');
  expect(refused).toMatchObject({ status: 503, body: { error: expect.stringMatching(/try again/) } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await postReview(product, category, entry.id, user)).status).toBe(201);
});

test('a process that starts meanwhile waits for the lock longer than a post does', async () => {
  const [entry, user] = [await createEntry(product, category), await createUser(product)];
  others.exec('BEGIN IMMEDIATE');
  const child = startChild({ DATA_DIR: product.dataDir });
  onTestFinished(async () => {
    child.process.kill('SIGKILL');
    await child.exit;
  });
  // It listens before its start is complete.
  await eventually(async () => child.output.stdout).toContain('Server listening');
  for (let tries = 0; tries < 2; tries += 1) {
    expect((await postReview(product, category, entry.id, user)).status).toBe(503);
  }
  others.exec('COMMIT');
  const url = await waitForAddress(child);
  expect((await postReview({ ...product, url }, category, entry.id, user)).status).toBe(201);
});

test('a read of somebody signed in does not fail because its use of the session cannot be noted', async () => {
  const user = await createUser(product);
  product.clock.ahead = 20 * 60_000;
  others.exec('BEGIN IMMEDIATE');
  const { status } = await call(product, `GET /auth/getProfile/${user.id}`, { token: user.token });
  others.exec('COMMIT');
  expect(status).toBe(200);
});

test('no transaction waits inside SQLite, where it would block the event loop', async () => {
  const { rows } = await product.app.database.write((db) => sql`pragma busy_timeout`.execute(db));
  expect(rows).toEqual([{ timeout: 0 }]);
});
