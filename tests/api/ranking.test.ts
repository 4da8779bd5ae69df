import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { explainWeighing } from '../../src/contract/scores.ts';
import { call } from '../support/call.ts';
import { createRatedEntry, times } from '../support/ratings.ts';
import { createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const KINDS = new Intl.ListFormat('en', { type: 'disjunction' }).format(CATEGORIES.map(({ kind }) => kind));
const [weighed, changed, empty] = CATEGORIES as readonly Category[] as [Category, Category, Category];

describeProduct('the weighted ranking on %s', (product) => {
  const rank = async ({ kind }: Category) => (await call(product, `GET /auth/getRanking?category=${kind}`)).body;

  test('puts twenty reviews of 4.8 before a single one of 5.0, which the mean puts first', async () => {
    const single = await createSchool(product, 'Single');
    const many = await createSchool(product, 'Many');
    const low = await createSchool(product, 'Low');
    await createRatedEntry(product, weighed, single.id, [5]);
    // Two entries of one school count together: 96 stars in 20 reviews.
    await createRatedEntry(product, weighed, many.id, times(12, 5));
    await createRatedEntry(product, weighed, many.id, times(8, 4.5));
    await createRatedEntry(product, weighed, low.id, times(19, 2));

    const { body: board } = await call(product, `GET /auth/${weighed.calls.leaderboard}`);
    expect(board).toEqual([
      { schoolId: single.id, schoolName: 'Single', averageRating: 5, totalReviews: 1, isBeingChecked: false },
      { schoolId: many.id, schoolName: 'Many', averageRating: 4.8, totalReviews: 20, isBeingChecked: false },
      { schoolId: low.id, schoolName: 'Low', averageRating: 2, totalReviews: 19, isBeingChecked: false },
    ]);
    // By hand: (5 + 96 + 38) / 40 = 3.475; then (34.75 + 96) / 30, (34.75 + 5) / 11 and (34.75 + 38) / 29.
    const ranking = await rank(weighed);
    expect(ranking).toEqual({
      category: weighed.kind,
      priorMean: 3.475,
      priorWeight: 10,
      rows: [
        { ...board[1], leftOut: 0, weightedRating: expect.closeTo(4.358_333_333, 9) },
        { ...board[0], leftOut: 0, weightedRating: expect.closeTo(3.613_636_364, 9) },
        { ...board[2], leftOut: 0, weightedRating: expect.closeTo(2.508_620_69, 9) },
      ],
    });
    expect(explainWeighing(ranking.rows[0], ranking.priorMean)).toEqual({
      count: 20,
      sum: 96,
      priorMean: '3.48',
      weightedRating: '4.36',
    });
  });

  test('follows a review at once, and puts equal schools in the order of their names', async () => {
    const [second, first] = [await createSchool(product, 'Équal B'), await createSchool(product, 'equal a')];
    for (const { id } of [second, first]) await createRatedEntry(product, changed, id, [3, 4]);
    const names = async () => (await rank(changed)).rows.map(({ schoolName }: { schoolName: string }) => schoolName);
    expect(await names()).toEqual(['equal a', 'Équal B']);
    const entry = await createRatedEntry(product, changed, second.id, []);
    await postReview(product, changed, entry.id, await createUser(product), { rating: 5 });
    expect(await names()).toEqual(['Équal B', 'equal a']);
  });

  test('has neither rows nor a mean of the category without reviews', async () => {
    expect(await rank(empty)).toEqual({ category: empty.kind, priorMean: null, priorWeight: 10, rows: [] });
  });

  test.each(['', '?category=', '?category=sports', '?category=Clubs', '?category=clubs&category=jobs'])(
    'is refused for "%s", and the refusal names the categories',
    async (query) => {
      const { status, body } = await call(product, `GET /auth/getRanking${query}`);
      expect(status).toBe(400);
      if (query === '') expect(body.error).toBe('The category is missing.');
      else expect(body.error).toBe(`The category must be ${KINDS}.`);
    },
  );
});
