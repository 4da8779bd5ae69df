import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { UNVERIFIED_LIFETIME } from '../../src/server/accounts/signup.ts';
import { call } from '../support/call.ts';
import { eventually } from '../support/postgres-faults.ts';
import { type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview, unique } from '../support/rows.ts';

const [category] = CATEGORIES as readonly [Category, ...Category[]];

let product: Product;
beforeEach(async () => {
  product = await startProduct('sqlite');
});
afterEach(() => product.stop());

const database = () => join(product.dataDir, 'school-reviews.sqlite');

/** Which of these words stand anywhere in the files of the database, its free pages and its log included. */
function findIn(words: readonly string[]): string[] {
  const bytes = ['', '-wal'].map((suffix) => `${database()}${suffix}`).filter(existsSync);
  const contents = bytes.map((file) => readFileSync(file));
  return words.filter((word) => contents.some((content) => content.includes(word)));
}

/** Somebody with much of their own, so that it fills pages. */
async function createPerson() {
  const person = await createUser(product);
  const goals = `${unique('goals')} ${'of a lifetime '.repeat(60)}`.trim();
  const body = {
    ...{ userId: person.id, location: 'Anywhere', major: 'History', academicLevel: 'Any', campusSetting: 'Town' },
    ...{ finance: 'Little', goals, living: 'On campus', personal: 'None' },
  };
  expect((await call(product, 'POST /auth/postProfile', { token: person.token, body })).status).toBe(201);
  return { ...person, words: [person.email, person.username, goals] };
}

test('nothing of a deleted person is left in the file or in its log', async () => {
  const admin = await createUser(product, { isAdmin: true });
  const people = [await createPerson(), await createPerson(), await createPerson()];
  const entry = await createEntry(product, category);
  for (const person of people) await postReview(product, category, entry.id, person);
  const words = people.flatMap((person) => person.words);
  expect(findIn(words)).toEqual(words);
  for (const { id } of people.slice(1)) {
    expect((await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token })).status).toBe(204);
  }
  expect(findIn(words)).toEqual(people[0]?.words);
});

test('the log is emptied later if somebody reads while a person is deleted', async () => {
  const admin = await createUser(product, { isAdmin: true });
  const person = await createPerson();
  const reader = new DatabaseSync(database());
  reader.exec('begin; select count(*) from users');
  reader.prepare('select count(*) from users').get();
  expect((await call(product, `DELETE /auth/deleteUser/${person.id}`, { token: admin.token })).status).toBe(204);
  expect(findIn(person.words)).toEqual(person.words);
  reader.close();
  await eventually(async () => findIn(person.words)).toEqual([]);
});

test('nothing is left of somebody who never verified their mailbox, once that has expired', async () => {
  const username = unique('never');
  const email = `${username}@example.org`;
  const body = { username, email, password: 'correct horse battery staple' };
  expect((await call(product, 'POST /auth/signup', { body })).status).toBe(201);
  await product.app.outbox.flush();
  expect(findIn([email])).toEqual([email]);
  await sweepExpired(product.app.database, Date.now() + UNVERIFIED_LIFETIME + 60_000);
  expect(findIn([email, username])).toEqual([]);
});

test('a write that finds the disk full gives back the room that the log takes', async () => {
  const [entry, user] = [await createEntry(product, category), await createUser(product)];
  const { body } = await postReview(product, category, entry.id, user);
  const edit = (review: string) =>
    call(product, `PUT /auth/${category.calls.updateReview}`, {
      token: user.token,
      body: { id: body.id, rating: 1, review },
    });
  for (let time = 0; time < 20; time += 1) expect((await edit(`Changed ${time}.`)).status).toBe(200);
  expect(statSync(`${database()}-wal`).size).toBeGreaterThan(100_000);
  // These reviews take the pages that are free in the file.
  for (const other of [await createUser(product), await createUser(product)]) {
    await postReview(product, category, entry.id, other, { review: 'y'.repeat(5_000) });
  }
  // To SQLite a file that may not grow is a full disk. A limit of 0 would change nothing, so it is 1.
  await product.app.database.write((db) => sql`pragma max_page_count = 1`.execute(db));
  expect((await edit('x'.repeat(5_000))).status).toBe(503);
  expect(statSync(`${database()}-wal`).size).toBe(0);
  expect((await edit('Short.')).status).toBe(200);
});
