import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { checkAndStop, hide, moderate, report } from '../support/moderation.ts';
import { ENGINES, type Product } from '../support/product.ts';
import { differences, publicAddresses, readPublic } from '../support/public-answers.ts';
import { category, createUser, postReview, type TestUser } from '../support/rows.ts';
import { skipReviewId, startTwins } from '../support/twins.ts';

/** A subject that only the reviews posted here mention. */
const PREFERENCE = 'Xylophones';
const MINUTE = 60_000;
const REVIEW = {
  rating: 0.5,
  review: 'Awful, all of it, but for the xylophones.',
  relation: 'parent',
  since: 2001,
  username: null,
} as const;

describe.each(ENGINES)('what everybody can read on %s', { timeout: 120_000 }, (engine) => {
  /** `product` got reviews that were hidden, `never` did not get them. */
  let product: Product;
  let never: Product;
  /** The same accounts in both, in this order. */
  let admins: [TestUser, TestUser];
  let readers: [TestUser, TestUser];
  let schoolId: number;
  let entryId: number;
  let lastId: number;

  const inBoth = async <T>(act: (one: Product, index: 0 | 1) => Promise<T>): Promise<[T, T]> => [
    await act(product, 0),
    await act(never, 1),
  ];

  beforeAll(async () => {
    [product, never] = await startTwins(engine);
    admins = await inBoth((one) => createUser(one, { isAdmin: true }));
    readers = await inBoth((one) => createUser(one));
    const { read } = product.app.database;
    const entry = await read
      .selectFrom('review_counts')
      .select(['entry_id', 'school_id'])
      .where('kind', '=', category.kind)
      .orderBy('review_count', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    [entryId, schoolId] = [entry.entry_id, entry.school_id];
    const school = await call(product, `GET /auth/getSchool/${schoolId}`);
    await inBoth((one, index) => {
      const { id: userId, token } = readers[index];
      const body = { userId, location: school.body.location, major: school.body.schoolName, personal: PREFERENCE };
      return call(one, 'POST /auth/postProfile', { token, body });
    });
    const last = await read
      .selectFrom('reviews')
      .select((select) => select.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    lastId = last.id ?? 0;
  });
  afterAll(async () => {
    await never.stop();
    await checkAndStop(product);
  });

  /**
   * What the two products answer differently about schools, the entry, the reviews posted here and other reviews.
   * @param asOthers whether the id of the last review is also tried as that of a school and an entry
   */
  async function compare(asOthers = false): Promise<string[]> {
    const { id: latest } = await product.app.database.read
      .selectFrom('reviews')
      .select((select) => select.fn.max('id').as('id'))
      .executeTakeFirstOrThrow();
    // Responses that may be a minute old are made again.
    for (const { clock } of [product, never]) clock.still = (clock.still ?? 0) + MINUTE;
    const entries = [{ id: entryId, kind: category.kind }];
    const reviews = [1, lastId, (latest ?? 0) + 1, latest ?? 0];
    const strange = asOthers ? latest : undefined;
    const addresses = publicAddresses({ schools: [1, schoolId], entries, reviews, strange });
    const [one, other] = [await readPublic(product, addresses), await readPublic(never, addresses)];
    return [...differences(one, other), ...((await recommendsAlike()) ? [] : ['recommendSchool'])];
  }

  /** The recommender reads reviews too; its evidence is of the entry that the reviews here are posted to. */
  async function recommendsAlike(): Promise<boolean> {
    const [one, other] = await inBoth((asked, index) =>
      call(asked, 'POST /auth/recommendSchool', {
        token: readers[index].token,
        body: {},
        headers: { Accept: 'application/json' },
      }),
    );
    expect(one.body.evidence).toHaveLength(3);
    return one.text === other.text;
  }

  /** Posts a review that is marked helpful and reported, in the first product alone. */
  async function postThere() {
    const author = (await inBoth((one) => createUser(one)))[0];
    const { body } = await postReview(product, category, entryId, author, REVIEW);
    const [{ token }] = readers;
    expect((await call(product, `POST /auth/markHelpful/${body.id}`, { token })).status).toBe(200);
    expect((await report(product, readers[0], body.id)).status).toBe(201);
    return { author, reviewId: body.id as number };
  }

  /** Posts a review by somebody else after the hidden one. Its id, and the reviews before it, are the same in both. */
  async function postAfterwards(): Promise<void> {
    await skipReviewId(never);
    const ids = await inBoth(async (one) => {
      const { body } = await postReview(one, category, entryId, await createUser(one), { ...REVIEW, rating: 4 });
      return body.id;
    });
    expect(ids[0]).toBe(ids[1]);
  }

  const remove = (reviewId: number, { token }: TestUser) =>
    call(product, `DELETE /auth/${category.calls.removeReview}/${reviewId}`, { token });

  test('is the same to the byte in two products that got the same', async () => {
    expect(await compare()).toEqual([]);
  });

  test('differs in many answers and pages by a review that is shown', async () => {
    const { author, reviewId } = await postThere();
    const found = await compare();
    const { calls, pages } = category;
    for (const address of [
      `/auth/${calls.reviews}/${entryId}`,
      `/auth/${calls.reviews}/${entryId}?sort=lowest&limit=3`,
      `/auth/${calls.averageRating}/${entryId}`,
      `/auth/getEntrySummary/${entryId}?relation=parent`,
      `/auth/getRanking?category=${category.kind}`,
      `/auth/${calls.leaderboard}`,
      `/auth/getReview/${reviewId}`,
      `/auth/getSchoolVoices/${schoolId}`,
      `/auth/getEntryVoices/${schoolId}?category=${category.kind}`,
      '/auth/getVoices',
      `/auth/getCategorySummary/${schoolId}?category=${category.kind}`,
      `/auth/getCategoryReviews/${schoolId}?category=${category.kind}`,
      '/auth/getSchoolFigures',
      `/feeds/school/${schoolId}.atom`,
      `/feeds/entry/${entryId}.atom`,
      `/badges/entry/${entryId}.svg`,
      `/review/${reviewId}`,
      `${pages.reviews}/${entryId}`,
      'recommendSchool',
    ]) {
      expect(found).toContain(address);
    }
    expect((await remove(reviewId, author)).status).toBe(204);
    await postAfterwards();
    expect(await compare()).toEqual([]);
  });

  test('is the same with a review that an admin hid as where it never was', async () => {
    const { reviewId } = await postThere();
    expect((await hide(product, admins[0], reviewId)).status).toBe(200);
    expect(await compare(true)).toEqual([]);
    await postAfterwards();
    expect(await compare()).toEqual([]);
  });

  test('is the same with a review that an admin deleted as where it never was', async () => {
    const { reviewId } = await postThere();
    expect((await remove(reviewId, admins[0])).status).toBe(204);
    await postAfterwards();
    expect(await compare()).toEqual([]);
  });

  test('is the same with a review that was hidden and restored as where it was only posted', async () => {
    const authors = await inBoth((one) => createUser(one));
    const [{ body }] = await inBoth((one, index) => postReview(one, category, entryId, authors[index], REVIEW));
    await hide(product, admins[0], body.id);
    expect((await moderate(product, admins[0], body.id, { action: 'restore' })).status).toBe(200);
    expect(await compare()).toEqual([]);
  });

  test('is the same with a hidden review that its author withdrew, also once it is restored', async () => {
    const { author, reviewId } = await postThere();
    await hide(product, admins[0], reviewId);
    expect((await remove(reviewId, author)).status).toBe(204);
    await postAfterwards();
    expect(await compare()).toEqual([]);
    expect((await moderate(product, admins[0], reviewId, { action: 'restore' })).status).toBe(200);
    expect(await compare()).toEqual([]);
  });

  test('is the same with a review that was hidden as its author was deleted as where it never was', async () => {
    const { author } = await postThere();
    const [{ token }] = admins;
    expect((await call(product, `DELETE /auth/deleteUser/${author.id}?reviews=hide`, { token })).status).toBe(204);
    await postAfterwards();
    expect(await compare()).toEqual([]);
  });

  test('is the same with a hidden review whose author was deleted, also once it is restored', async () => {
    const { author, reviewId } = await postThere();
    await hide(product, admins[0], reviewId);
    const [{ token }] = admins;
    expect((await call(product, `DELETE /auth/deleteUser/${author.id}`, { token })).status).toBe(204);
    await postAfterwards();
    expect(await compare()).toEqual([]);
    await moderate(product, admins[0], reviewId, { action: 'restore' });
    expect(await compare()).toContain(`${category.pages.reviews}/${entryId}`);
    await hide(product, admins[0], reviewId);
    expect(await compare()).toEqual([]);
  });
});
