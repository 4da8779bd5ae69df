import { describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { RATINGS } from '../../src/contract/stars.ts';
import { tags } from '../../src/server/http/cache/tags.ts';
import { countMany } from '../../src/server/visibility/count-update-queries.ts';
import { call } from '../support/call.ts';
import { createEntry, createUser, postReview, signIn, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest, userOf } from '../support/site.ts';

describeProduct('reviews on %s', (product, engine) => {
  const admin = adminOf(product);
  const author = userOf(product);
  const other = userOf(product);

  describe.each(CATEGORIES)('$label', (category) => {
    const { calls } = category;
    const figures = async (entryId: number) => ({
      ...(await call(product, `GET /auth/${calls.averageRating}/${entryId}`)).body,
      ...(await call(product, `GET /auth/${calls.totalReviews}/${entryId}`)).body,
    });
    const list = (entryId: number, query = '') => call(product, `GET /auth/${calls.reviews}/${entryId}${query}`);
    const mine = (entryId: number, user: TestUser) =>
      call(product, `GET /auth/${calls.myReview}/${entryId}`, { token: user.token });

    test('a posted review is first in the list, with average and total right at once', async () => {
      const entry = await createEntry(product, category);
      expect(await figures(entry.id)).toEqual({ averageRating: 0, totalReviews: 0 });
      expect((await list(entry.id)).body).toEqual([]);
      await postReview(product, category, entry.id, other, { rating: 2 });
      const posted = await postReview(product, category, entry.id, author, { rating: 3.5, review: '  Fine.  ' });
      expect(posted.status).toBe(201);
      expect(posted.body).toMatchObject({ rating: 3.5, review: 'Fine.', username: author.username, userId: author.id });
      expect(await figures(entry.id)).toEqual({ averageRating: 2.75, totalReviews: 2 });
      const { userId: _userId, isHidden: _isHidden, isFirst: _isFirst, ...shown } = posted.body;
      expect((await list(entry.id)).body[0]).toEqual(shown);
      expect((await list(entry.id)).body).toHaveLength(2);
    });

    test('the author corrects and withdraws it, and the figures follow', async () => {
      const entry = await createEntry(product, category);
      const { body: posted } = await postReview(product, category, entry.id, author, { rating: 1 });
      await postReview(product, category, entry.id, other, { rating: 4 });
      const body = { id: posted.id, rating: 4.5, review: 'Better now.', username: author.username };
      const changed = await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
      expect(changed).toMatchObject({ status: 200, body: { ...body, createdAt: posted.createdAt } });
      expect(changed.body.editedAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
      expect(await figures(entry.id)).toEqual({ averageRating: 4.25, totalReviews: 2 });
      expect((await mine(entry.id, author)).body).toEqual(changed.body);

      const removed = await call(product, `DELETE /auth/${calls.removeReview}/${posted.id}`, { token: author.token });
      expect(removed.status).toBe(204);
      expect(await figures(entry.id)).toEqual({ averageRating: 4, totalReviews: 1 });
      expect(await mine(entry.id, author)).toMatchObject({ status: 200, body: null });
    });

    test('nobody else corrects or withdraws it, but an admin deletes it', async () => {
      const entry = await createEntry(product, category);
      const { body: posted } = await postReview(product, category, entry.id, author);
      const body = { id: posted.id, rating: 5, review: 'Mine now.' };
      for (const user of [other, admin]) {
        expect((await call(product, `PUT /auth/${calls.updateReview}`, { token: user.token, body })).status).toBe(403);
      }
      const remove = `DELETE /auth/${calls.removeReview}/${posted.id}`;
      expect((await call(product, remove)).status).toBe(401);
      expect((await call(product, remove, { token: other.token })).status).toBe(403);
      expect((await call(product, remove, { token: admin.token })).status).toBe(204);
      expect((await call(product, remove, { token: admin.token })).status).toBe(404);
      expect(await figures(entry.id)).toEqual({ averageRating: 0, totalReviews: 0 });
    });

    test('a review of another category is not found by its id', async () => {
      const entry = await createEntry(product, category);
      const { body: posted } = await postReview(product, category, entry.id, author);
      for (const { calls: others } of CATEGORIES.filter((one) => one !== category)) {
        const body = { id: posted.id, rating: 5, review: 'x' };
        const update = await call(product, `PUT /auth/${others.updateReview}`, { token: author.token, body });
        const remove = await call(product, `DELETE /auth/${others.removeReview}/${posted.id}`, { token: admin.token });
        expect([update.status, remove.status]).toEqual([404, 404]);
      }
    });

    test('every half star from 0.5 to 5 is taken, anything else refused', async () => {
      const entry = await createEntry(product, category);
      const { body: posted } = await postReview(product, category, entry.id, author, { rating: 5 });
      for (const rating of RATINGS) {
        const body = { id: posted.id, rating, review: 'Again.' };
        const changed = await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
        expect(changed.body.rating).toBe(rating);
      }
      for (const rating of [0, 0.25, 3.3, 5.5, -1, '4', null, Number.NaN]) {
        const refused = await postReview(product, category, entry.id, other, { rating: rating as number });
        expect(refused.status, String(rating)).toBe(400);
      }
      expect(await figures(entry.id)).toEqual({ averageRating: 5, totalReviews: 1 });
    });

    test('an anonymous review tells nobody whose it is', async () => {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, author, { username: null, review: 'Nobody said this.' });
      const answers = await Promise.all([
        list(entry.id),
        call(product, `GET /auth/${calls.reviews}/${entry.id}`, { token: author.token }),
        call(product, `GET /auth/${calls.reviews}/${entry.id}`, { token: admin.token }),
      ]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(Object.keys(answers[0].body[0]).sort()).toEqual(['createdAt', 'helpful', 'id', 'rating', 'review']);
      expect((await mine(entry.id, other)).body).toBeNull();
      expect((await mine(entry.id, author)).body).toMatchObject({ userId: author.id });
    });

    test('somebody else’s name or id is refused', async () => {
      const entry = await createEntry(product, category);
      const post = (more: object) =>
        call(product, `POST /auth/${calls.postReview}`, {
          token: author.token,
          body: { [category.itemKey]: { id: entry.id }, rating: 4, review: 'x', ...more },
        });
      expect((await post({ username: other.username })).status).toBe(403);
      expect((await post({ userId: other.id })).status).toBe(403);
      expect((await post({ username: '', createdAt: '1999-01-01', editedAt: 'x', id: 1 })).body).not.toHaveProperty(
        'username',
      );
      expect(await figures(entry.id)).toEqual({ averageRating: 4, totalReviews: 1 });
    });
  });

  const [category] = CATEGORIES as [(typeof CATEGORIES)[number]];
  const { calls } = category;

  test('of fifty equal posts at once one is taken and the others are told', async () => {
    const entry = await createEntry(product, category);
    const posts = await Promise.all(Array.from({ length: 50 }, () => postReview(product, category, entry.id, author)));
    expect(posts.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(posts.filter(({ status }) => status === 409)).toHaveLength(49);
    expect((await call(product, `GET /auth/${calls.totalReviews}/${entry.id}`)).body).toEqual({ totalReviews: 1 });
  });

  test('two corrections at once leave the counters equal to the rows', async () => {
    const entry = await createEntry(product, category);
    const { body: posted } = await postReview(product, category, entry.id, author, { rating: 1 });
    await Promise.all(
      RATINGS.map((rating) =>
        call(product, `PUT /auth/${calls.updateReview}`, {
          token: author.token,
          body: { id: posted.id, rating, review: 'At once.' },
        }),
      ),
    );
    const [shown] = (await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).body;
    const { averageRating } = (await call(product, `GET /auth/${calls.averageRating}/${entry.id}`)).body;
    expect(averageRating).toBe(shown.rating);
  });

  test('a correction that is sent again is one edit', async () => {
    const entry = await createEntry(product, category);
    const { id } = (await postReview(product, category, entry.id, author)).body;
    const body = { id, rating: 2, review: 'On reflection.', username: author.username, relation: 'parent' };
    const correct = () => call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
    const first = await correct();
    expect(await correct()).toMatchObject({ status: 200, body: first.body });
    const { body: own } = await call(product, 'GET /auth/getMyReviews', { token: author.token });
    const { events } = own.find((review: { id: number }) => review.id === id);
    expect(events.map(({ event }: { event: string }) => event)).toEqual(['posted', 'edited']);
  });

  test('more than a hundred reviews are paged through by Link, newest first, none twice', async () => {
    const entry = await createEntry(product, category);
    await product.app.database.write(async (db, commit) => {
      commit.invalidate(tags.reviewsOf(entry.id));
      const nobodys = { user_id: null, username: null, edited_at: null, relation: null };
      const row = { entry_id: entry.id, school_id: entry.schoolId, ...nobodys };
      // Every three reviews share one time, so that there are ties.
      const rows = Array.from({ length: 250 }, (_, index) => ({
        ...row,
        half_stars: 8,
        review: `${index}`,
        created_at: 1_700_000_000_000 + Math.floor(index / 3) * 1000,
      }));
      await db.insertInto('reviews').values(rows).execute();
      await countMany(db, rows);
    });
    const seen: number[] = [];
    let next: string | undefined = `/auth/${calls.reviews}/${entry.id}`;
    let pages = 0;
    while (next !== undefined) {
      const page = await call(product, `GET ${next}`);
      expect(page.body.length).toBeLessThanOrEqual(100);
      seen.push(...page.body.map(({ review }: { review: string }) => Number(review)));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => 249 - index));
    const few = await call(product, `GET /auth/${calls.reviews}/${entry.id}?limit=2`);
    expect(few.body.map(({ review }: { review: string }) => review)).toEqual(['249', '248']);
  });

  test('a review needs a token, an entry that exists and a text', async () => {
    const entry = await createEntry(product, category);
    const body = { [category.itemKey]: { id: entry.id }, rating: 4, review: 'x' };
    expect((await call(product, `POST /auth/${calls.postReview}`, { body })).status).toBe(401);
    expect((await postReview(product, category, 999_999_999, author)).status).toBe(404);
    expect((await postReview(product, category, entry.id, author, { review: '   ' })).status).toBe(400);
    expect((await postReview(product, category, entry.id, author, { review: 'x'.repeat(5001) })).status).toBe(400);
    expect((await postReview(product, category, entry.id, author, { review: 'é'.repeat(5000) })).status).toBe(201);
  });

  test('deleting a user keeps their reviews, from then on anonymous', async () => {
    const leaving = await createUser(product);
    const entry = await createEntry(product, category);
    await postReview(product, category, entry.id, leaving);
    expect((await call(product, `GET /auth/${calls.reviews}/${entry.id}`)).body[0].username).toBe(leaving.username);
    await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token });
    const { body } = await call(product, `GET /auth/${calls.reviews}/${entry.id}`);
    expect(body).toHaveLength(1);
    expect(body[0]).not.toHaveProperty('username');
  });

  test('a user posts thirty reviews an hour, not one more', async () => {
    const limited = await startForTest(engine, { RATE_LIMIT: 'on' });
    const busy = await createUser(limited);
    for (let count = 0; count < 30; count += 1) {
      const entry = await createEntry(limited, category);
      expect((await postReview(limited, category, entry.id, busy)).status).toBe(201);
    }
    const entry = await createEntry(limited, category);
    const refused = await postReview(limited, category, entry.id, busy);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    limited.clock.ahead += 60 * 60_000 + 1000;
    const later = { ...busy, token: await signIn(limited, busy.id) };
    expect((await postReview(limited, category, entry.id, later)).status).toBe(201);
  });
});
