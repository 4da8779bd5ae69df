import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { call } from '../support/call.ts';
import { createRatedEntry, times } from '../support/ratings.ts';
import { createEntry, createSchool, createUser, postReview } from '../support/rows.ts';
import { describeProduct, userOf } from '../support/site.ts';

const [athletics, clubs, housing] = CATEGORIES as readonly Category[] as [Category, Category, Category];

describeProduct('the summary of a school on %s', (product) => {
  const user = userOf(product);

  const setClock = (time: string) => {
    product.clock.ahead = Date.parse(time) - Date.now();
  };
  const summaryOf = async (id: number) => (await call(product, `GET /auth/getSchoolSummary/${id}`)).body;
  const inCategory = async (id: number, { kind }: Category) =>
    (await summaryOf(id)).categories.find(({ category }: { category: string }) => category === kind);

  test('says of each category, in the order of the registry, what its reviews say and whether it is covered', async () => {
    const school = await createSchool(product);
    await createRatedEntry(product, athletics, school.id, [5, 4, 3.5]);
    await createRatedEntry(product, athletics, school.id, [0.5]);
    await createRatedEntry(product, clubs, school.id, [4, 4.5]);
    await createEntry(product, housing, school.id);
    const none = { averageRating: null, totalReviews: 0, recentReviews: 0, isCovered: false, isBeingChecked: false };
    expect(await summaryOf(school.id)).toEqual({
      id: school.id,
      schoolName: school.schoolName,
      location: school.location,
      totalReviews: 6,
      categories: CATEGORIES.map(({ kind, label }, index) => ({
        ...{ category: kind, label, entries: 0, ...none },
        ...(index === 0 && { entries: 2, averageRating: 3.25, totalReviews: 4, recentReviews: 4, isCovered: true }),
        ...(index === 1 && { entries: 1, averageRating: 4.25, totalReviews: 2, recentReviews: 2 }),
        ...(index === 2 && { entries: 1 }),
      })),
      coverage: { covered: 1, of: CATEGORIES.length },
      isBeingChecked: false,
    });
  });

  test('follows every change at once', async () => {
    const school = await createSchool(product);
    const entry = await createRatedEntry(product, clubs, school.id, [4, 4]);
    const admin = await createUser(product, { isAdmin: true });
    const figures = async () => {
      const { schoolName, totalReviews, coverage } = await summaryOf(school.id);
      const { entries, averageRating } = await inCategory(school.id, clubs);
      return [schoolName, entries, averageRating, totalReviews, coverage.covered];
    };
    const { schoolName } = school;
    expect(await figures()).toEqual([schoolName, 1, 4, 2, 0]);
    const { body: review } = await postReview(product, clubs, entry.id, user, { rating: 1 });
    expect(await figures()).toEqual([schoolName, 1, 3, 3, 1]);
    const edited = { token: user.token, body: { id: review.id, rating: 2.5, review: 'Better.' } };
    await call(product, `PUT /auth/${clubs.calls.updateReview}`, edited);
    expect(await figures()).toEqual([schoolName, 1, 3.5, 3, 1]);
    await call(product, `DELETE /auth/${clubs.calls.removeReview}/${review.id}`, { token: user.token });
    expect(await figures()).toEqual([schoolName, 1, 4, 2, 0]);
    const renamed = { token: admin.token, body: { ...school, schoolName: 'Renamed' } };
    await call(product, 'PUT /auth/updateSchool', renamed);
    await createEntry(product, clubs, school.id);
    expect(await figures()).toEqual(['Renamed', 2, 4, 2, 0]);
    await call(product, `DELETE /auth/${clubs.calls.remove}/${entry.id}`, { token: admin.token });
    expect(await figures()).toEqual(['Renamed', 1, null, 0, 0]);
    await call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: admin.token });
    expect((await call(product, `GET /auth/getSchoolSummary/${school.id}`)).status).toBe(404);
  });

  test.each([
    // Today, and the beginning of the 24 months before it.
    ['2027-06-15T10:00:00.000Z', '2025-06-15T00:00:00.000Z'],
    ['2027-06-15T00:00:00.000Z', '2025-06-15T00:00:00.000Z'],
    ['2028-02-29T23:00:00.000Z', '2026-02-28T00:00:00.000Z'],
  ])('on %s reviews are recent from %s on, to the millisecond', async (today, start) => {
    setClock(today);
    const school = await createSchool(product);
    await createRatedEntry(product, housing, school.id, times(3, 4), { createdAt: Date.parse(start) });
    await createRatedEntry(product, housing, school.id, times(4, 4), { createdAt: Date.parse(start) - 1 });
    expect(await inCategory(school.id, housing)).toMatchObject({
      totalReviews: 7,
      recentReviews: 3,
      isCovered: true,
    });
    product.clock.ahead = 0;
  });

  test('changes at midnight in UTC, although it was cached', async () => {
    setClock('2027-06-15T23:59:00.000Z');
    const school = await createSchool(product);
    await createRatedEntry(product, housing, school.id, times(3, 4), {
      createdAt: Date.parse('2025-06-15T12:00:00.000Z'),
    });
    const before = await call(product, `GET /auth/getSchoolSummary/${school.id}`);
    expect(before.body.coverage.covered).toBe(1);
    expect((await call(product, `GET /auth/getSchoolSummary/${school.id}`)).text).toBe(before.text);
    setClock('2027-06-16T00:00:00.000Z');
    expect((await summaryOf(school.id)).coverage.covered).toBe(0);
    product.clock.ahead = 0;
  });

  test.each([
    ['0', 400],
    ['x', 400],
    ['999999', 404],
  ])('is refused for the id %s with %i', async (id, status) => {
    const answer = await call(product, `GET /auth/getSchoolSummary/${id}`);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toBe(
      status === 404 ? 'There is no such school.' : 'The schoolId must be a positive whole number.',
    );
  });
});
