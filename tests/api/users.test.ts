import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { call } from '../support/call.ts';
import { readMetric } from '../support/metrics.ts';
import { createEntry, createSchool, createUser, postReview, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

describeProduct('users and leaderboards on %s', (product, engine) => {
  const admin = adminOf(product);

  const setAdmin = (id: number, isAdmin: unknown, { token }: TestUser = admin) =>
    call(product, `PUT /auth/updateUser/${id}`, { token, body: { isAdmin } });
  const remove = (id: number, { token }: TestUser = admin) => call(product, `DELETE /auth/deleteUser/${id}`, { token });

  test('an admin lists users with nothing but id, name and flag', async () => {
    const user = await createUser(product);
    const { status, body } = await call(product, 'GET /auth/getUsers', { token: admin.token });
    expect(status).toBe(200);
    expect(body).toContainEqual({ id: user.id, username: user.username, isAdmin: false, isBlocked: false });
    expect(new Set(body.flatMap(Object.keys))).toEqual(new Set(['id', 'username', 'isAdmin', 'isBlocked']));
  });

  test('a user made admin may at once, and one demoted may not any more', async () => {
    const user = await createUser(product);
    expect((await call(product, 'GET /auth/getUsers', { token: user.token })).status).toBe(403);
    expect(await setAdmin(user.id, true)).toMatchObject({ status: 200, body: { id: user.id, isAdmin: true } });
    expect((await call(product, 'GET /auth/getUsers', { token: user.token })).status).toBe(200);
    await setAdmin(user.id, false);
    expect((await call(product, 'GET /auth/getUsers', { token: user.token })).status).toBe(403);
  });

  test('an account that nobody has verified cannot be made an admin', async () => {
    const username = unique('unverified');
    const user = { username, email: `${username}@example.org`, passwordHash: 'none', verifiedAt: null };
    const id = await product.app.database.write((db) => insertUser(db, user, Date.now()));
    const refused = await setAdmin(Number(id), true);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'This account is not verified yet. It can become an admin once its owner has verified it.',
    ]);
    expect(await setAdmin(Number(id), false)).toMatchObject({ status: 200, body: { isAdmin: false } });
    await product.app.database.write((db) =>
      db.updateTable('users').set({ verified_at: Date.now() }).where('id', '=', Number(id)).execute(),
    );
    expect(await setAdmin(Number(id), true)).toMatchObject({ status: 200, body: { isAdmin: true } });
  });

  test('a deleted user’s token is refused at once', async () => {
    const user = await createUser(product);
    expect((await remove(user.id)).status).toBe(204);
    expect((await call(product, `GET /auth/getProfile/${user.id}`, { token: user.token })).status).toBe(401);
    expect((await remove(user.id)).status).toBe(404);
    expect((await setAdmin(user.id, true)).status).toBe(404);
  });

  test('deleting a user invalidates responses with their name, and none of their anonymous reviews', async () => {
    const user = await createUser(product);
    const category = CATEGORIES[0] as Category;
    const [signed, anonymous] = [await createEntry(product, category), await createEntry(product, category)];
    await postReview(product, category, signed.id, user);
    const { headers } = await postReview(product, category, anonymous.id, user, { username: null });
    const { reviews, averageRating, totalReviews } = category.calls;
    // On PostgreSQL a process reads its own changes in the log too, a moment later, and invalidates responses again.
    const position = { 'X-Change-Position': headers.get('x-change-position') ?? '' };
    await call(product, `GET /auth/${totalReviews}/${anonymous.id}`, { headers: position });
    const readAll = async (entryId: number) => {
      const before = await readMetric(product, 'cached_response_misses_total');
      const bodies: unknown[] = [];
      for (const name of [reviews, averageRating, totalReviews]) {
        bodies.push((await call(product, `GET /auth/${name}/${entryId}`)).body);
      }
      return { bodies, made: (await readMetric(product, 'cached_response_misses_total')) - before };
    };
    await readAll(signed.id);
    const before = await readAll(anonymous.id);
    expect((await remove(user.id)).status).toBe(204);
    expect(await readAll(anonymous.id)).toEqual({ bodies: before.bodies, made: 0 });
    const after = await readAll(signed.id);
    expect(after.made).toBe(3);
    expect(after.bodies[0]).not.toMatchObject([{ username: user.username }]);
  });

  test('visitors and other users may do none of it', async () => {
    const user = await createUser(product);
    for (const request of ['GET /auth/getUsers', `DELETE /auth/deleteUser/${admin.id}`]) {
      expect((await call(product, request)).status).toBe(401);
      expect((await call(product, request, { token: user.token })).status).toBe(403);
    }
    expect((await setAdmin(user.id, true, user)).status).toBe(403);
    for (const wrong of ['true', 1, null, undefined]) expect((await setAdmin(user.id, wrong)).status).toBe(400);
  });

  test('the last admin can neither be demoted nor deleted, even by two at once', async () => {
    const alone = await startForTest(engine);
    const [first, second] = [await createUser(alone, { isAdmin: true }), await createUser(alone, { isAdmin: true })];
    const demote = (id: number, { token }: TestUser) =>
      call(alone, `PUT /auth/updateUser/${id}`, { token, body: { isAdmin: false } });
    const statuses = (await Promise.all([demote(second.id, first), demote(first.id, second)])).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const left = statuses[0] === 200 ? first : second;
    expect((await demote(left.id, left)).status).toBe(409);
    expect((await call(alone, `DELETE /auth/deleteUser/${left.id}`, { token: left.token })).status).toBe(409);
  });

  test.each(CATEGORIES)(
    'the $label leaderboard takes all reviews of all of a school’s entries, highest first',
    async (category) => {
      const users = await Promise.all([createUser(product), createUser(product), createUser(product)]);
      const [low, high, none] = [await createSchool(product), await createSchool(product), await createSchool(product)];
      const [one, two] = [await createEntry(product, category, low.id), await createEntry(product, category, low.id)];
      const best = await createEntry(product, category, high.id);
      await createEntry(product, category, none.id);
      await postReview(product, category, one.id, users[0], { rating: 1 });
      await postReview(product, category, one.id, users[1], { rating: 2 });
      await postReview(product, category, two.id, users[2], { rating: 4.5 });
      await postReview(product, category, best.id, users[0], { rating: 5 });
      const board = async () => (await call(product, `GET /auth/${category.calls.leaderboard}`)).body;
      const ours = (await board()).filter(({ schoolName }: { schoolName: string }) =>
        [low, high, none].some((school) => school.schoolName === schoolName),
      );
      expect(ours).toEqual([
        { schoolId: high.id, schoolName: high.schoolName, averageRating: 5, totalReviews: 1, isBeingChecked: false },
        { schoolId: low.id, schoolName: low.schoolName, averageRating: 2.5, totalReviews: 3, isBeingChecked: false },
      ]);
      const own = await call(product, `GET /auth/${category.calls.myReview}/${best.id}`, { token: users[0].token });
      await call(product, `DELETE /auth/${category.calls.removeReview}/${own.body.id}`, { token: users[0].token });
      expect(await board()).not.toContainEqual(expect.objectContaining({ schoolName: high.schoolName }));
    },
  );
});
