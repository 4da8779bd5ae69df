import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { countMany } from '../../src/server/visibility/count-update-queries.ts';
import { call } from '../support/call.ts';
import { createEntry, createUser, postReview, signIn } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const [CATEGORY] = CATEGORIES as [Category];

describeProduct('the newest reviews on %s', (product) => {
  const admin = adminOf(product);

  const read = async (query = '') =>
    call(product, `GET /auth/getNewestReviews${query}`, { token: await signIn(product, admin.id) });

  test('stand there with their entries and schools, newest first, whatever their category', async () => {
    const user = await createUser(product);
    const posted: object[] = [];
    for (const category of CATEGORIES) {
      const { id, name, schoolId } = await createEntry(product, category);
      const { body } = await postReview(product, category, id, user, { rating: 3.5, review: `On ${category.label}.` });
      const { schoolName } = (await call(product, `GET /auth/getSchool/${schoolId}`)).body;
      const { id: reviewId, review, rating, createdAt, helpful } = body;
      const about = { category: category.kind, entryId: id, entryName: name, schoolId, schoolName };
      posted.unshift({ id: reviewId, review, rating, createdAt, helpful, ...about, isNewAccount: true });
    }
    const { status, body, headers } = await read();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.slice(0, posted.length)).toEqual(posted);
  });

  test('do not reveal who wrote them, signed or not', async () => {
    const [signing, hiding] = [await createUser(product), await createUser(product)];
    const entry = await createEntry(product, CATEGORY);
    await postReview(product, CATEGORY, entry.id, signing);
    await postReview(product, CATEGORY, entry.id, hiding, { username: null });
    const { body, text } = await read();
    expect(Object.keys(body[0])).toEqual(Object.keys(body[1]));
    for (const { username } of [signing, hiding]) expect(text).not.toContain(username);
    expect(text).not.toMatch(/user_?(id|name)/i);
  });

  test('say that an account was younger than 7 days when it was posted, also when the account is deleted', async () => {
    const user = await createUser(product);
    const { created_at: joinedAt } = await product.app.database.read
      .selectFrom('users')
      .select('created_at')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    const ages = [0, 7 * DAY - 60_000, 7 * DAY, 8 * DAY];
    const posted: number[] = [];
    for (const age of ages) {
      product.clock.ahead = joinedAt + age - Date.now();
      const author = { ...user, token: await signIn(product, user.id) };
      const { id } = await createEntry(product, CATEGORY);
      posted.unshift((await postReview(product, CATEGORY, id, author)).body.id);
    }
    const own = async () =>
      (await read()).body
        .filter(({ id }: { id: number }) => posted.includes(id))
        .map(({ isNewAccount }: { isNewAccount: boolean }) => isNewAccount);
    expect(await own()).toEqual([false, false, true, true]);
    const token = await signIn(product, admin.id);
    expect((await call(product, `DELETE /auth/deleteUser/${user.id}`, { token })).status).toBe(204);
    expect(await own()).toEqual([false, false, true, true]);
  });

  test('come in pages of a hundred, or of as many as asked for, and none is left out where two are of one moment', async () => {
    const { entry_id, school_id } = await product.app.database.read
      .selectFrom('reviews')
      .select(['entry_id', 'school_id'])
      .executeTakeFirstOrThrow();
    const nobodys = { user_id: null, username: null, edited_at: null, relation: null };
    const review = { entry_id, school_id, ...nobodys, half_stars: 5, review: 'Many.' };
    const rows = Array.from({ length: 150 }, (_, index) => ({ ...review, created_at: 1_000 + Math.floor(index / 4) }));
    await product.app.database.write(async (db) => {
      await db.insertInto('reviews').values(rows).execute();
      await countMany(db, rows);
    });
    const expected = await product.app.database.read
      .selectFrom('reviews')
      .select('id')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    for (const [query, size] of [
      ['', 100],
      ['?limit=7', 7],
    ] as const) {
      const seen: number[] = [];
      let next: string | undefined = query;
      while (next !== undefined) {
        const { body, headers } = await read(next);
        seen.push(...body.map(({ id }: { id: number }) => id));
        next = /<\/auth\/getNewestReviews(\?[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
        if (next !== undefined) expect(body).toHaveLength(size);
      }
      expect(seen).toEqual(expected.map(({ id }) => id));
    }
  });

  test.each([
    ['limit=0', 'The limit must be a whole number from 1 to 100.'],
    ['limit=101', 'The limit must be a whole number from 1 to 100.'],
    ['before=7', 'The cursor does not have the form that is needed here.'],
  ])('are refused with %s', async (query, error) => {
    expect(await read(`?${query}`)).toMatchObject({ status: 400, body: { error } });
  });
});
