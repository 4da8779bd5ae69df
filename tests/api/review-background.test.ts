import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { BACKGROUND_FIELDS } from '../../src/contract/reviews.ts';
import { call } from '../support/call.ts';
import { BACKGROUND } from '../support/review-requests.ts';
import { createEntry, createUser, postReview, type ReviewInput, signIn } from '../support/rows.ts';
import { describeProduct, userOf } from '../support/site.ts';

const category = CATEGORIES[1] as Category;
const { calls } = category;

describeProduct('what authors say about themselves on %s', (product) => {
  const author = userOf(product);

  const list = async (entryId: number) => (await call(product, `GET /auth/${calls.reviews}/${entryId}`)).body;
  const update = (body: object, { token } = author) =>
    call(product, `PUT /auth/${calls.updateReview}`, { token, body });
  async function post(input: object) {
    const entry = await createEntry(product, category);
    return { entry, ...(await postReview(product, category, entry.id, author, input as ReviewInput)) };
  }

  test('stands in every answer that holds the review, and what an edit leaves out is removed', async () => {
    const admin = await createUser(product, { isAdmin: true });
    const { entry, status, body: posted } = await post(BACKGROUND);
    expect([status, posted]).toEqual([201, expect.objectContaining({ ...BACKGROUND, helpful: 0 })]);
    const { isFirst, ...own } = posted;
    expect(isFirst).toBe(true);
    const { userId: _userId, isHidden: _isHidden, ...shown } = own;
    expect(await list(entry.id)).toEqual([shown]);
    expect((await call(product, `GET /auth/${calls.myReview}/${entry.id}`, author)).body).toEqual(own);
    const newest = await call(product, 'GET /auth/getNewestReviews?limit=1', admin);
    expect(newest.body).toMatchObject([{ id: posted.id, ...BACKGROUND, helpful: 0 }]);

    const { id } = posted;
    const open = await update({ id, rating: 2, review: 'Still there.', relation: 'educator', since: 2020 });
    expect([open.status, open.body]).toEqual([200, expect.objectContaining({ relation: 'educator', since: 2020 })]);
    expect(open.body).not.toHaveProperty('until');
    const bare = await update({ id, rating: 2, review: 'Nothing about me.' });
    for (const field of BACKGROUND_FIELDS) expect(bare.body).not.toHaveProperty(field);
    expect(bare.body.helpful).toBe(0);
    expect(await list(entry.id)).toEqual([expect.not.objectContaining({ relation: expect.anything() })]);
  });

  test('is the same whether left out, null or empty', async () => {
    for (const blank of [null, '']) {
      const { status, body } = await post(Object.fromEntries(BACKGROUND_FIELDS.map((field) => [field, blank])));
      expect(status).toBe(201);
      for (const field of BACKGROUND_FIELDS) expect(body).not.toHaveProperty(field);
    }
  });

  test.each<[object, string, string]>([
    [{ relation: 'neighbour' }, 'relation', 'The relation must be student, alumnus, parent, or educator.'],
    [{ since: 1949 }, 'since', 'The first year must be a whole year from 1950 to this one.'],
    [{ since: 2001.5 }, 'since', 'The first year must be a whole year from 1950 to this one.'],
    [{ since: '2001' }, 'since', 'The first year must be a whole year from 1950 to this one.'],
    [{ since: 9999 }, 'since', 'The first year must be a whole year from 1950 to this one.'],
    [{ since: 2001, until: 9999 }, 'until', 'The last year must be a whole year from 1950 to this one.'],
    [{ since: 2001, until: 2000 }, 'until', 'The last year must not be before the first.'],
    [{ until: 2000 }, 'since', 'The first year is missing.'],
    [{ since: '', until: 2000 }, 'since', 'The first year is missing.'],
  ])('%j is refused for %s', async (input, field, error) => {
    expect(await post(input)).toMatchObject({ status: 400, body: { error, field } });
    const { body } = await post({});
    const edited = await update({ id: body.id, rating: 1, review: 'Edited.', ...input });
    expect(edited).toMatchObject({ status: 400, body: { error, field } });
  });

  test('may be of this year, which begins at 00:00 UTC', async () => {
    const thisYear = new Date().getUTCFullYear();
    const nextYear = thisYear + 1;
    expect((await post({ since: thisYear, until: thisYear })).status).toBe(201);
    expect((await post({ since: nextYear })).status).toBe(400);
    const ahead = Date.UTC(nextYear, 0, 1) - Date.now();
    const at = async (moved: number) => {
      product.clock.ahead = moved;
      const later = { ...author, token: await signIn(product, author.id) };
      const entry = await createEntry(product, category);
      return (await postReview(product, category, entry.id, later, { since: nextYear })).status;
    };
    expect(await at(ahead - 60_000)).toBe(400);
    expect(await at(ahead + 1_000)).toBe(201);
    product.clock.ahead = 0;
  });
});
