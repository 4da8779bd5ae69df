import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { EntrySummary } from '../../src/contract/entry-summary.ts';
import { changes } from '../../src/server/http/cache/tags.ts';
import { insertReviews } from '../../src/server/reviews/queries.ts';
import { call } from '../support/call.ts';
import { createEntry, createUser, postReview, type TestUser } from '../support/rows.ts';
import { describeProduct, usersOf } from '../support/site.ts';

const category = CATEGORIES[3] as Category;

/** The clock of these tests, and the edge of 24 months as seen from there. */
const NOW = Date.parse('2032-02-29T10:00:00Z');
const EDGE = Date.parse('2030-02-28T00:00:00Z');
const RECENT = Date.parse('2031-06-01T12:00:00Z');
const EARLIER = Date.parse('2026-06-01T12:00:00Z');

interface Case {
  title: string;
  /** Stars, by when they were given. */
  recent: number[];
  earlier: number[];
  /** Further reviews, each at an exact time. */
  at?: [time: number, stars: number][];
  expected: [recent: number | null, recentCount: number, earlier: number | null, earlierCount: number, change: unknown];
}

/** Worked out by hand. */
const CASES: Case[] = [
  { title: 'no review', recent: [], earlier: [], expected: [null, 0, null, 0, null] },
  { title: 'three and three, better', recent: [4, 4.5, 5], earlier: [3, 3, 3], expected: [4.5, 3, 3, 3, 'up'] },
  { title: 'three and three, worse', recent: [1, 1, 2.5], earlier: [4, 5, 4.5], expected: [1.5, 3, 4.5, 3, 'down'] },
  { title: 'a quarter star more', recent: [4, 4.5, 4, 4.5], earlier: [4, 4, 4], expected: [4.25, 4, 4, 3, 'up'] },
  { title: 'a quarter star less', recent: [4, 4, 4], earlier: [4, 4.5, 4, 4.5], expected: [4, 3, 4.25, 4, 'down'] },
  {
    title: 'hardly less than a quarter star more',
    ...{ recent: [4, 4, 4, 4, 5], earlier: [4, 4, 4], expected: [4.2, 5, 4, 3, 'steady'] },
  },
  { title: 'the same', recent: [2, 3, 4], earlier: [3, 3, 3], expected: [3, 3, 3, 3, 'steady'] },
  { title: 'two recent ones', recent: [5, 5], earlier: [1, 1, 1], expected: [null, 2, 1, 3, null] },
  { title: 'two earlier ones', recent: [5, 5, 5], earlier: [1, 1], expected: [5, 3, null, 2, null] },
  { title: 'none of late', recent: [], earlier: [2, 2.5, 3], expected: [null, 0, 2.5, 3, null] },
  { title: 'none before', recent: [0.5, 1, 1.5], earlier: [], expected: [1, 3, null, 0, null] },
  {
    title: 'one at the edge and one a millisecond before it',
    ...{ recent: [5, 5], earlier: [1, 1] },
    at: [
      [EDGE, 2],
      [EDGE - 1, 4],
    ],
    expected: [4, 3, 2, 3, 'up'],
  },
];

describeProduct('the summary of an entry on %s', { SHARED_CACHE_SECONDS: '86400' }, (product) => {
  const users = usersOf(product, 10);

  beforeAll(async () => {
    product.clock.ahead = NOW - Date.now();
  });

  const summary = (entryId: number, query = '') => call(product, `GET /auth/getEntrySummary/${entryId}${query}`);

  type Given = { createdAt: number; stars: number; relation?: 'parent' | 'student' };

  async function createReviewedEntry(given: Given[]): Promise<number> {
    const { id: entryId, schoolId } = await createEntry(product, category);
    const rows = given.map(({ createdAt, stars, relation }, index) => ({
      ...{ entryId, schoolId, username: null, review: 'x', createdAt, halfStars: stars * 2, relation },
      userId: (users[index] as TestUser).id,
    }));
    await product.app.database.write(async (db, commit) => {
      if (rows.length > 0) await insertReviews(db, rows);
      commit.invalidate(...changes.manyReviewsAdded({ id: entryId, schoolId }));
    });
    return entryId;
  }

  test.each(CASES)('$title', async ({ recent, earlier, at = [], expected }) => {
    const entryId = await createReviewedEntry([
      ...recent.map((stars) => ({ createdAt: RECENT, stars })),
      ...earlier.map((stars) => ({ createdAt: EARLIER, stars })),
      ...at.map(([createdAt, stars]) => ({ createdAt, stars })),
    ]);
    const { status, body } = await summary(entryId);
    const found = body as EntrySummary;
    expect(status).toBe(200);
    const all = [...recent, ...earlier, ...at.map(([, stars]) => stars)];
    expect([
      ...[found.recent.averageRating, found.recent.totalReviews],
      ...[found.earlier.averageRating, found.earlier.totalReviews, found.change],
    ]).toEqual(expected);
    expect(found).toMatchObject({
      averageRating: all.length === 0 ? null : all.reduce((total, stars) => total + stars, 0) / all.length,
      totalReviews: all.length,
      histogram: Array.from({ length: 10 }, (_, index) => all.filter((stars) => stars === (index + 1) / 2).length),
      recent: { months: 24 },
      relations: { student: 0, alumnus: 0, parent: 0, educator: 0, undeclared: all.length },
      isBeingChecked: false,
    });
  });

  test('of a relation counts that group alone in everything but the relations', async () => {
    const parents = [5, 4, 4.5].map((stars) => ({ createdAt: RECENT, stars, relation: 'parent' as const }));
    const entryId = await createReviewedEntry([
      ...parents,
      { createdAt: EARLIER, stars: 1, relation: 'parent' },
      { createdAt: RECENT, stars: 2, relation: 'student' },
      { createdAt: RECENT, stars: 3 },
    ]);
    const relations = { student: 1, alumnus: 0, parent: 4, educator: 0, undeclared: 1 };
    expect((await summary(entryId, '?relation=parent')).body).toEqual({
      averageRating: 3.625,
      totalReviews: 4,
      histogram: [0, 1, 0, 0, 0, 0, 0, 1, 1, 1],
      recent: { months: 24, averageRating: 4.5, totalReviews: 3 },
      earlier: { averageRating: null, totalReviews: 1 },
      change: null,
      relations,
      isBeingChecked: false,
    });
    expect((await summary(entryId, '?relation=educator')).body).toMatchObject({
      averageRating: null,
      totalReviews: 0,
      relations,
    });
    expect((await summary(entryId)).body).toMatchObject({ totalReviews: 6, recent: { totalReviews: 5 }, relations });
    expect((await summary(entryId, '?relation=cousin')).status).toBe(400);
  });

  test('follows what is posted, edited and withdrawn, and is gone with the entry', async () => {
    product.clock.ahead = 0;
    const admin = await createUser(product, { isAdmin: true });
    const [author] = users as [TestUser];
    const { id: entryId } = await createEntry(product, category);
    const figures = async () => {
      const { totalReviews, averageRating, relations, recent } = (await summary(entryId)).body as EntrySummary;
      return [
        totalReviews,
        averageRating,
        relations.parent,
        relations.student,
        relations.undeclared,
        recent.totalReviews,
      ];
    };
    expect(await figures()).toEqual([0, null, 0, 0, 0, 0]);
    const { body } = await postReview(product, category, entryId, author, { rating: 2, relation: 'parent' });
    expect(await figures()).toEqual([1, 2, 1, 0, 0, 1]);
    const edit = (more: object) =>
      call(product, `PUT /auth/${category.calls.updateReview}`, {
        token: author.token,
        body: { id: body.id, rating: 2, review: 'Edited.', ...more },
      });
    await edit({ relation: 'student' });
    expect(await figures()).toEqual([1, 2, 0, 1, 0, 1]);
    await edit({ rating: 5, relation: 'student' });
    expect(await figures()).toEqual([1, 5, 0, 1, 0, 1]);
    await edit({});
    expect(await figures()).toEqual([1, 2, 0, 0, 1, 1]);
    await call(product, `DELETE /auth/${category.calls.removeReview}/${body.id}`, { token: author.token });
    expect(await figures()).toEqual([0, null, 0, 0, 0, 0]);
    await call(product, `DELETE /auth/${category.calls.remove}/${entryId}`, { token: admin.token });
    expect((await summary(entryId)).status).toBe(404);
    product.clock.ahead = NOW - Date.now();
  });

  test('changes with the day, cached or not, and no shared cache may have it for longer', async () => {
    const entryId = await createReviewedEntry([{ createdAt: EDGE, stars: 4 }]);
    const at = async (time: string) => {
      product.clock.ahead = Date.parse(time) - Date.now();
      const { body, headers } = await summary(entryId);
      const [, fresh, stale] = /s-maxage=(\d+), stale-if-error=(\d+)/.exec(headers.get('cache-control') ?? '') ?? [];
      return { recent: body.recent.totalReviews, fresh: Number(fresh), stale: Number(stale) };
    };
    const evening = await at('2032-02-28T23:00:00Z');
    expect(evening.recent).toBe(1);
    expect(evening.fresh).toBeGreaterThan(3_590);
    expect(evening.fresh + evening.stale).toBeLessThanOrEqual(3_600);
    const later = await at('2032-02-28T23:59:50Z');
    expect(later.fresh).toBeLessThanOrEqual(10);
    // For 29 February the 24 months begin on 28 February, too.
    expect((await at('2032-02-29T00:00:30Z')).recent).toBe(1);
    expect((await at('2032-02-29T23:59:50Z')).recent).toBe(1);
    expect((await at('2032-03-01T00:00:01Z')).recent).toBe(0);
  });
});
