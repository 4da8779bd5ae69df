import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { COMPARED_MAX } from '../../src/contract/pages.ts';
import { call } from '../support/call.ts';
import { createRatedEntry, times } from '../support/ratings.ts';
import { createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const [category, other] = CATEGORIES as readonly Category[] as [Category, Category];

/** Each list is the ratings of one school. */
const VERDICTS: { title: string; ratings: number[][]; verdict: string; leader?: number }[] = [
  { title: 'nobody is rated', ratings: [[], []], verdict: 'none' },
  { title: 'one of three is rated', ratings: [[], times(40, 4), []], verdict: 'none' },
  // 4.25 and 4.17 are shown as 4.3 and 4.2.
  {
    title: '4.3 of 4 against 4.2 of 3',
    ratings: [
      [4.5, 4.5, 4, 4],
      [4.5, 4, 4],
    ],
    verdict: 'few',
  },
  { title: '5 of 4 against 1 of 60', ratings: [times(4, 5), times(60, 1)], verdict: 'few' },
  {
    title: '4.6 of 60 against 3.9 of 50',
    ratings: [
      [...times(40, 4), ...times(10, 3.5)],
      [...times(12, 5), ...times(48, 4.5)],
    ],
    verdict: 'lead',
    leader: 1,
  },
  {
    // Both spreads are (2.4 + 5) / 45, so that a lead begins at 1.96 · √(2 · 0.1644 / 40) = 0.178.
    title: '4.3 of 40 against 4.2 of 40',
    ratings: [
      [...times(24, 4.5), ...times(16, 4)],
      [...times(16, 4.5), ...times(24, 4)],
    ],
    verdict: 'close',
  },
  {
    // Five equal ratings would be certain if `SPREAD_PRIOR` were not added. So a lead begins at
    // 1.96 · √(2 · 0.5 / 5) = 0.877.
    title: 'five of 5 against five of 4.5',
    ratings: [times(5, 5), times(5, 4.5)],
    verdict: 'close',
  },
  { title: 'five of 5 against five of 4', ratings: [times(5, 5), times(5, 4)], verdict: 'lead', leader: 0 },
  {
    title: 'a clear lead beside a school of four reviews',
    ratings: [times(4, 5), times(40, 4.5), times(40, 2)],
    verdict: 'lead',
    leader: 1,
  },
  {
    title: 'ahead of one and not of the other',
    ratings: [times(40, 4.5), times(40, 2), [...times(39, 4.5), 4]],
    verdict: 'close',
  },
];

describeProduct('schools compared on %s', (product) => {
  const compare = (ids: readonly unknown[]) => call(product, `GET /auth/compareSchools?ids=${ids.join(',')}`);
  const createSchools = async (amount: number) =>
    Promise.all(Array.from({ length: amount }, async () => (await createSchool(product)).id));

  test.each(VERDICTS)('$title: $verdict', async ({ ratings, verdict, leader }) => {
    const ids = await createSchools(ratings.length);
    for (const [index, own] of ratings.entries()) {
      if (own.length > 0) await createRatedEntry(product, category, ids[index] as number, own);
    }
    const { body } = await compare(ids);
    expect(body.verdicts).toEqual(
      CATEGORIES.map(({ kind }) => {
        if (kind !== category.kind) return { category: kind, verdict: 'none' };
        return { category: kind, verdict, ...(leader !== undefined && { leader: ids[leader] }) };
      }),
    );
  });

  test('are in the order of the ids, each as in its own summary', async () => {
    const [one, two, three] = (await createSchools(3)) as [number, number, number];
    await createRatedEntry(product, category, two, times(5, 5));
    await createRatedEntry(product, other, three, [1]);
    const summaries = new Map<number, unknown>();
    for (const id of [one, two, three]) {
      summaries.set(id, (await call(product, `GET /auth/getSchoolSummary/${id}`)).body);
    }
    for (const ids of [
      [three, one, two],
      [two, three],
    ]) {
      const { status, body } = await compare(ids);
      expect([status, body.schools]).toEqual([200, ids.map((id) => summaries.get(id))]);
    }
  });

  test('follow a change of any of them at once, whichever it is', async () => {
    const ids = await createSchools(2);
    const admin = await createUser(product, { isAdmin: true });
    for (const [index, id] of ids.entries()) {
      const before = (await compare(ids)).body.schools[index];
      const entry = await createRatedEntry(product, category, id, [3]);
      await postReview(product, category, entry.id, await createUser(product), { rating: 4 });
      expect((await compare(ids)).body.schools[index].totalReviews).toBe(before.totalReviews + 2);
    }
    await call(product, `DELETE /auth/deleteSchool/${ids[1]}`, { token: admin.token });
    expect(await compare(ids)).toMatchObject({ status: 404, body: { error: 'There is no such school.' } });
  });

  test('are two to four different ones that exist', async () => {
    const ids = await createSchools(COMPARED_MAX + 1);
    const [one, two] = ids as [number, number];
    const sentence = 'The ids must be 2 to 4 different ids of schools, separated by commas.';
    const wrong = [
      ...['', one, `${one},`, `,${one}`, `${one},${one}`, `${one},${two},${one}`, ids.join(','), `${one};${two}`],
      ...[`${one},0`, `${one},-1`, `${one},1.5`, `${one},x`, `${one},0${two}`, `${one},9007199254740993`],
      ...[`${one},${'1'.repeat(20)}`, `${one}%20,${two}`],
    ];
    for (const text of wrong) {
      const { status, body } = await call(product, `GET /auth/compareSchools?ids=${text}`);
      expect([text, status, body]).toEqual([text, 400, { error: sentence, field: 'ids' }]);
    }
    const missing = await call(product, 'GET /auth/compareSchools');
    expect([missing.status, missing.body.error]).toEqual([400, 'The list of ids is missing.']);
    expect((await compare([one, 999_999])).status).toBe(404);
    expect((await compare(ids.slice(0, COMPARED_MAX))).status).toBe(200);
  });
});
