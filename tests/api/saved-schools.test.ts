import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';
import { call } from '../support/call.ts';
import { captureQueries } from '../support/plans.ts';
import { awaitNotifications } from '../support/postgres-faults.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createSchool, createUser, postReview, type TestUser } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const [category] = CATEGORIES as readonly Category[] as [Category];

describeProduct('saved schools on %s', (product) => {
  const admin = adminOf(product);

  const save = (user: TestUser, id: number) => call(product, `PUT /auth/saveSchool/${id}`, { token: user.token });
  const remove = (user: TestUser, id: number) => call(product, `DELETE /auth/saveSchool/${id}`, { token: user.token });
  const list = async (user: TestUser) => (await call(product, 'GET /auth/getSavedSchools', { token: user.token })).body;
  const idsOf = async (user: TestUser) => (await list(user)).map(({ id }: { id: number }) => id);
  const createSchools = async (amount: number) =>
    Promise.all(Array.from({ length: amount }, async () => (await createSchool(product)).id));

  test('are summaries without categories, newest first, and each user has a list of their own', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const [one, two, three] = (await createSchools(3)) as [number, number, number];
    await createRatedEntry(product, category, two, [4, 4, 5]);
    expect(await list(user)).toEqual([]);
    for (const id of [two, three, one]) expect(await save(user, id)).toMatchObject({ status: 204, text: '' });
    await save(other, three);
    expect(await idsOf(user)).toEqual([one, three, two]);
    expect(await idsOf(other)).toEqual([three]);
    const { categories, ...summary } = (await call(product, `GET /auth/getSchoolSummary/${two}`)).body;
    expect(categories).toHaveLength(CATEGORIES.length);
    expect((await list(user))[2]).toEqual(summary);
    expect(summary).toMatchObject({ totalReviews: 3, coverage: { covered: 1, of: CATEGORIES.length } });
  });

  test('are summarised once for all users, until something of a school changes', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const ids = await createSchools(20);
    const rated = await createRatedEntry(product, category, ids[7] as number, [4, 4]);
    for (const id of ids) for (const person of [user, other]) await save(person, id);
    const before = await list(user);
    await awaitNotifications(product, rated.id);
    await list(user);
    // The session, the user and the saved ids are read for each caller.
    const own = (await captureQueries(() => call(product, 'GET /auth/getSavedSchools', { token: other.token }))).length;
    expect(own).toBeLessThanOrEqual(4);
    expect(await list(other)).toEqual(before);
    await postReview(product, category, rated.id, other, { rating: 1 });
    expect((await list(user)).find(({ id }: { id: number }) => id === ids[7])).toMatchObject({ totalReviews: 3 });
  });

  test('stay where they are when they are saved again, and are removed once or twice', async () => {
    const user = await createUser(product);
    const [one, two] = (await createSchools(2)) as [number, number];
    for (const id of [one, two, one]) expect((await save(user, id)).status).toBe(204);
    expect(await idsOf(user)).toEqual([two, one]);
    for (let time = 1; time <= 2; time += 1) expect(await remove(user, two)).toMatchObject({ status: 204, text: '' });
    expect(await idsOf(user)).toEqual([one]);
    await save(user, two);
    expect(await idsOf(user)).toEqual([two, one]);
  });

  test('are a hundred at most, also when many are saved at once', async () => {
    const user = await createUser(product);
    const ids = await createSchools(BOUNDS.savedSchools.max + 5);
    const atOnce = ids.slice(BOUNDS.savedSchools.max - 1);
    for (const id of ids.slice(0, BOUNDS.savedSchools.max - 1)) expect((await save(user, id)).status).toBe(204);
    const answers = await Promise.all(atOnce.map((id) => save(user, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.error).toBe('You have saved 100 schools. Remove one to save another.');
    const saved = await idsOf(user);
    expect(saved).toHaveLength(BOUNDS.savedSchools.max);
    // This school is saved already, and takes no more room.
    expect((await save(user, ids[0] as number)).status).toBe(204);
    const rest = atOnce.find((id) => !saved.includes(id)) as number;
    await remove(user, ids[0] as number);
    expect((await save(user, rest)).status).toBe(204);
  });

  test('go with a deleted school, and with a deleted user', async () => {
    const user = await createUser(product);
    const [one, two] = (await createSchools(2)) as [number, number];
    for (const id of [one, two]) await save(user, id);
    await call(product, `DELETE /auth/deleteSchool/${one}`, { token: admin.token });
    expect(await idsOf(user)).toEqual([two]);
    await call(product, `DELETE /auth/deleteUser/${user.id}`, { token: admin.token });
    const rows = await product.app.database.read
      .selectFrom('saved_schools')
      .selectAll()
      .where('user_id', '=', user.id)
      .execute();
    expect(rows).toEqual([]);
  });

  test('are schools that exist', async () => {
    for (const answer of [await save(admin, 999_999), await remove(admin, 999_999)]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'There is no such school.' } });
    }
  });
});
