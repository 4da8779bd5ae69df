import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { SORTS } from '../../src/contract/review-filters.ts';
import { call } from '../support/call.ts';
import { insertDatedReview } from '../support/merging.ts';
import { hide } from '../support/moderation.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createEntry, createSchool, createUser, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, usersOf } from '../support/site.ts';

const [clubs, housing] = CATEGORIES.slice(1) as [Category, Category];

interface Listed {
  id: number;
  rating: number;
  createdAt: string;
  helpful: number;
  relation?: string;
  entryId: number;
}

describeProduct('the reviews of a category at a school on %s', (product) => {
  const admin = adminOf(product);
  const users = usersOf(product, 5);
  let schoolId: number;
  let entries: { id: number; schoolId: number; name: string }[];
  let all: Listed[];

  const read = async (query = '') => {
    const { status, body, headers } = await call(
      product,
      `GET /auth/getCategoryReviews/${schoolId}?category=clubs${query}`,
    );
    expect(status).toBe(200);
    return { rows: body as Listed[], next: /<[^>]*(\/auth[^>]+)>/.exec(headers.get('link') ?? '')?.[1] };
  };

  beforeAll(async () => {
    schoolId = (await createSchool(product)).id;
    entries = [await createEntry(product, clubs, schoolId), await createEntry(product, clubs, schoolId)];
    await createEntry(product, clubs, schoolId);
    for (const [at, entry] of entries.entries()) {
      for (const [index, user] of users.entries()) {
        const written = { rating: 1 + ((index * 3 + at) % 8) / 2, daysAgo: (index * 7 + at * 3) % 11 };
        const relation = index % 2 === 0 ? ({ relation: 'student' } as const) : {};
        const id = await insertDatedReview(product, clubs, entry, user, { ...written, ...relation });
        for (const { token } of users.filter((_, reader) => reader !== index).slice(0, (index + at) % 3)) {
          await call(product, `POST /auth/markHelpful/${id}`, { token });
        }
      }
    }
    await insertDatedReview(product, housing, await createEntry(product, housing, schoolId), users[0] as TestUser);
    all = (await read()).rows;
  });

  const newer = (one: Listed, other: Listed) => other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
  const ORDERS: Record<(typeof SORTS)[number], (one: Listed, other: Listed) => number> = {
    newest: newer,
    oldest: (one, other) => one.createdAt.localeCompare(other.createdAt) || other.id - one.id,
    highest: (one, other) => other.rating - one.rating || newer(one, other),
    lowest: (one, other) => one.rating - other.rating || newer(one, other),
    helpful: (one, other) => other.helpful - one.helpful || newer(one, other),
  };

  test('are those of all its entries, each with its entry', async () => {
    expect(all).toHaveLength(10);
    const ofEntries = await Promise.all(
      entries.map(async ({ id, name }) => {
        const { body } = await call(product, `GET /auth/${clubs.calls.reviews}/${id}`);
        return body.map((review: object) => ({ ...review, entryId: id, entryName: name }));
      }),
    );
    expect(all).toEqual(ofEntries.flat().sort(newer));
  });

  test.each(SORTS)('are sorted by %s, filtered, and read page after page', async (sort) => {
    const sorted = all.toSorted(ORDERS[sort]);
    const idsOf = (rows: readonly Listed[]) => rows.map(({ id }) => id);
    const found: Listed[] = [];
    let next: string | undefined = `/auth/getCategoryReviews/${schoolId}?category=clubs&sort=${sort}&limit=3`;
    while (next) {
      const { body, headers } = await call(product, `GET ${next}`);
      found.push(...body);
      next = /<[^>]*?(\/auth[^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(idsOf(found)).toEqual(idsOf(sorted));
    const filtered = sorted.filter(({ rating, relation }) => Math.ceil(rating) === 2 && relation === 'student');
    expect(filtered.length).toBeGreaterThan(0);
    expect(idsOf((await read(`&sort=${sort}&stars=2&relation=student`)).rows)).toEqual(idsOf(filtered));
  });

  test('are refused with a cursor of another order, without a category, and of no school', async () => {
    const { next = '' } = await read('&sort=helpful&limit=1');
    expect((await call(product, `GET ${next.replace('sort=helpful', 'sort=newest')}`)).status).toBe(400);
    expect((await call(product, `GET /auth/getCategoryReviews/${schoolId}`)).status).toBe(400);
    expect((await call(product, 'GET /auth/getCategoryReviews/999999?category=clubs')).status).toBe(404);
  });

  test('follow every change at once', async () => {
    const entry = await createRatedEntry(product, clubs, schoolId, [3]);
    const [added] = (await read('&limit=1')).rows;
    expect(added).toMatchObject({ entryId: entry.id, helpful: 0 });
    const { token } = await createUser(product);
    await call(product, `POST /auth/markHelpful/${added?.id}`, { token });
    expect((await read('&limit=1')).rows).toMatchObject([{ id: added?.id, helpful: 1 }]);
    await hide(product, admin, added?.id as number);
    expect((await read()).rows).toEqual(all);
  });

  test('have the summary that was computed by hand', async () => {
    const { id } = await createSchool(product);
    const recent = Date.now() - 1_000;
    const old = recent - 3 * 365 * 24 * 60 * 60_000;
    await createRatedEntry(product, clubs, id, [4, 5], { createdAt: recent });
    await createRatedEntry(product, clubs, id, [4.5], { createdAt: recent });
    await createRatedEntry(product, clubs, id, [1, 2, 3], { createdAt: old });
    const entry = await createEntry(product, clubs, id);
    await insertDatedReview(product, clubs, entry, users[0] as TestUser, { rating: 2.5, relation: 'parent' });
    await createRatedEntry(product, housing, id, [1, 1, 1], { createdAt: recent });
    const summary = async (query = '') =>
      (await call(product, `GET /auth/getCategorySummary/${id}?category=clubs${query}`)).body;
    expect(await summary()).toEqual({
      averageRating: 22 / 7,
      totalReviews: 7,
      histogram: [0, 1, 0, 1, 1, 1, 0, 1, 1, 1],
      recent: { months: 24, averageRating: 4, totalReviews: 4 },
      earlier: { averageRating: 2, totalReviews: 3 },
      change: 'up',
      relations: { student: 0, alumnus: 0, parent: 1, educator: 0, undeclared: 6 },
      isBeingChecked: false,
    });
    expect(await summary('&relation=parent')).toMatchObject({
      averageRating: 2.5,
      totalReviews: 1,
      recent: { averageRating: null, totalReviews: 1 },
      earlier: { averageRating: null, totalReviews: 0 },
      change: null,
      relations: { parent: 1, undeclared: 6 },
    });
    await createRatedEntry(product, clubs, id, [3], { createdAt: recent });
    expect((await summary()).totalReviews).toBe(8);
  });

  test('have an empty summary without entries, and none without a school', async () => {
    const { id } = await createSchool(product);
    const { status, body } = await call(product, `GET /auth/getCategorySummary/${id}?category=clubs`);
    expect([status, body.averageRating, body.totalReviews, body.histogram]).toEqual([200, null, 0, Array(10).fill(0)]);
    expect((await call(product, 'GET /auth/getCategorySummary/999999?category=clubs')).status).toBe(404);
    expect((await call(product, `GET /auth/getCategorySummary/${id}`)).status).toBe(400);
  });
});
