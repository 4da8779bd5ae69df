import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { RELATIONS, SORTS } from '../../src/contract/review-filters.ts';
import type { Review } from '../../src/contract/reviews.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertReviews } from '../../src/server/reviews/queries.ts';
import { call } from '../support/call.ts';
import { createEntry, createUser, type TestUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const category = CATEGORIES[0] as Category;
const { calls } = category;
const DAY = 24 * 60 * 60_000;
const AMOUNT = 60;

/** The orders of the contract, written by hand: reviews that are alike stand newest first. */
const newest = (one: Review, other: Review) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
const COMPARE: Record<string, (one: Review, other: Review) => number> = {
  newest,
  oldest: (one, other) => one.createdAt.localeCompare(other.createdAt) || newest(one, other),
  highest: (one, other) => other.rating - one.rating || newest(one, other),
  lowest: (one, other) => one.rating - other.rating || newest(one, other),
  helpful: (one, other) => Number(other.helpful) - Number(one.helpful) || newest(one, other),
};

describeProduct('lists of reviews on %s', (product) => {
  let entry: { id: number; schoolId: number };
  let users: TestUser[];
  let all: Review[];

  const path = (query: string) => `/auth/${calls.reviews}/${entry.id}${query && `?${query}`}`;
  const read = (query: string) => call(product, `GET ${path(query)}`);

  /** Every page from the first on, each by the link of the one before. */
  async function readAll(query: string): Promise<Review[]> {
    const rows: Review[] = [];
    let next: string | undefined = path(query);
    while (next) {
      const { status, body, headers } = await call(product, `GET ${next}`);
      expect(status, next).toBe(200);
      rows.push(...body);
      expect(rows.length).toBeLessThanOrEqual(AMOUNT);
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    }
    return rows;
  }

  beforeAll(async () => {
    users = await Promise.all(Array.from({ length: AMOUNT }, () => createUser(product)));
    entry = await createEntry(product, category);
    const now = Date.now();
    // Ratings, relations and moments repeat, so that every order has rows that are alike.
    const rows = users.map(({ id: userId }, index) => ({
      entryId: entry.id,
      schoolId: entry.schoolId,
      userId,
      username: null,
      halfStars: (index % 10) + 1,
      review: `Review ${index}.`,
      createdAt: now - Math.floor(index / 3) * 40 * DAY,
      relation: ([...RELATIONS, undefined] as const)[(index + Math.floor(index / 10)) % 5],
    }));
    await product.app.database.write(async (db, commit) => {
      await insertReviews(db, rows);
      commit.invalidate(...changes.manyReviewsAdded(entry));
    });
    const { body } = await read('');
    for (const [index, { id }] of body.entries()) {
      for (const { token } of users.slice(0, index % 4)) await call(product, `POST /auth/markHelpful/${id}`, { token });
    }
    all = (await read('')).body;
  });

  test('without sort are newest first, as the specification says', async () => {
    expect(all).toHaveLength(AMOUNT);
    expect(all).toEqual(all.toSorted(newest));
    expect((await read('sort=newest')).text).toBe((await read('')).text);
    expect(new Set(all.map(({ helpful }) => helpful)).size).toBeGreaterThan(3);
  });

  test.each(SORTS)('sorted by %s come whole and in order, whatever the length of a page', async (sort) => {
    const expected = all.toSorted(COMPARE[sort]);
    for (const limit of [7, 10, 60, 100])
      expect(await readAll(`sort=${sort}&limit=${limit}`), `${limit}`).toEqual(expected);
  });

  test.each([
    ['stars=1', ({ rating }: Review) => rating <= 1],
    ['stars=4', ({ rating }: Review) => rating === 3.5 || rating === 4],
    ['relation=parent', ({ relation }: Review) => relation === 'parent'],
    ['stars=3&relation=alumnus', ({ rating, relation }: Review) => rating > 2 && rating <= 3 && relation === 'alumnus'],
    ['months=6', ({ createdAt }: Review) => Date.now() - Date.parse(createdAt) < 180 * DAY],
    ['months=120&stars=5', ({ rating }: Review) => rating > 4],
  ])('of %s are those alone in every order, and the link keeps the filter', async (query, isMeant) => {
    const meant = all.filter(isMeant);
    expect(meant.length).toBeGreaterThan(1);
    for (const sort of SORTS) {
      expect(await readAll(`${query}&sort=${sort}&limit=2`), sort).toEqual(meant.toSorted(COMPARE[sort]));
    }
  });

  test('that nothing matches are empty', async () => {
    const lonely = await createEntry(product, category);
    for (const sort of SORTS) {
      const { status, body } = await call(product, `GET /auth/${calls.reviews}/${lonely.id}?sort=${sort}&stars=2`);
      expect([status, body]).toEqual([200, []]);
    }
  });

  test.each([
    ['sort=best', 'sort', 'The sort must be newest, oldest, highest, lowest, or helpful.'],
    ['sort=', 'sort', 'The sort must be newest, oldest, highest, lowest, or helpful.'],
    ['stars=0', 'stars', 'The stars must be a whole number from 1 to 5.'],
    ['stars=6', 'stars', 'The stars must be a whole number from 1 to 5.'],
    ['stars=2.5', 'stars', 'The stars must be a whole number from 1 to 5.'],
    ['relation=undeclared', 'relation', 'The relation must be student, alumnus, parent, or educator.'],
    ['relation=', 'relation', 'The relation must be student, alumnus, parent, or educator.'],
    ['months=0', 'months', 'The months must be a whole number from 1 to 120.'],
    ['months=121', 'months', 'The months must be a whole number from 1 to 120.'],
    ['sort=lowest&before=1-1', 'before', 'The cursor is one of another order of the list.'],
    ['before=1-1-1', 'before', 'The cursor is one of another order of the list.'],
  ])('asked for with %s are refused', async (query, field, error) => {
    expect(await read(query)).toMatchObject({ status: 400, body: { error, field } });
  });

  test('are those of their own category alone, sorted or not', async () => {
    const other = CATEGORIES[1] as Category;
    const { status } = await call(product, `GET /auth/${other.calls.reviews}/${entry.id}?sort=lowest`);
    expect(status).toBe(404);
  });

  test('are cached by the filters that the page offers, and not by months', async () => {
    const cachedBy = async (query: string) => {
      const entries = async () =>
        Number(/^cached_responses (\d+)/m.exec((await call(product, 'GET /metrics')).text)?.[1]);
      const before = await entries();
      await read(query);
      return (await entries()) - before;
    };
    expect(await cachedBy('sort=highest&stars=5&relation=student')).toBe(1);
    expect(await cachedBy('months=7')).toBe(0);
    expect(await cachedBy('months=8&sort=lowest&stars=1')).toBe(0);
  });

  test('posted within so many months begin at 00:00 UTC and change with the day', async () => {
    const { id, schoolId } = await createEntry(product, category);
    const [author, other] = users as [TestUser, TestUser];
    const postedAt = (time: string) => Date.parse(time);
    const row = { entryId: id, schoolId, username: null, halfStars: 5, review: 'On the edge.' };
    await product.app.database.write((db) =>
      insertReviews(db, [
        { ...row, userId: author.id, createdAt: postedAt('2030-01-31T00:00:00.000Z') },
        { ...row, userId: other.id, createdAt: postedAt('2030-01-30T23:59:59.999Z') },
      ]),
    );
    const count = async (now: string) => {
      product.clock.ahead = Date.parse(now) - Date.now();
      return (await call(product, `GET /auth/${calls.reviews}/${id}?months=2`)).body.length;
    };
    expect(await count('2030-03-30T23:59:00Z')).toBe(2);
    expect(await count('2030-03-31T00:00:30Z')).toBe(1);
    expect(await count('2030-04-01T00:00:30Z')).toBe(0);
    product.clock.ahead = 0;
  });
});
