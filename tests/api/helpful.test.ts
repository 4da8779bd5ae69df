import { expect, test } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { call } from '../support/call.ts';
import { createEntry, createUser, postReview, signIn } from '../support/rows.ts';
import { adminOf, describeProduct, startForTest, userOf } from '../support/site.ts';

const category = CATEGORIES[2] as Category;
const { calls } = category;

describeProduct('helpful marks on %s', (product, engine) => {
  const author = userOf(product);
  const reader = userOf(product);
  const admin = adminOf(product);

  async function review() {
    const entry = await createEntry(product, category);
    const { body } = await postReview(product, category, entry.id, author);
    return { entryId: entry.id, id: body.id as number };
  }
  const mark = (id: number | string, { token } = reader) => call(product, `POST /auth/markHelpful/${id}`, { token });
  const unmark = (id: number, { token } = reader) => call(product, `DELETE /auth/markHelpful/${id}`, { token });
  const mine = (entryId: number, { token } = reader) => call(product, `GET /auth/getMyHelpful/${entryId}`, { token });
  const shown = async (entryId: number) =>
    (await call(product, `GET /auth/${calls.reviews}/${entryId}`)).body.map((one: { helpful: number }) => one.helpful);

  test('count once for each person, and every answer that holds the review says how many at once', async () => {
    const { id, entryId } = await review();
    expect(await shown(entryId)).toEqual([0]);
    for (const expected of [1, 1]) {
      expect(await mark(id)).toMatchObject({ status: 200, body: { helpful: expected } });
      expect(await shown(entryId)).toEqual([expected]);
    }
    expect((await mark(id, admin)).body).toEqual({ helpful: 2 });
    expect((await call(product, `GET /auth/getReview/${id}`)).body.helpful).toBe(2);
    expect((await mine(entryId)).body).toEqual([id]);
    for (const expected of [1, 1]) expect((await unmark(id)).body).toEqual({ helpful: expected });
    expect([await shown(entryId), (await mine(entryId)).body]).toEqual([[1], []]);
  });

  test('ten concurrent requests to mark and unmark leave one mark or none of each person', async () => {
    const { id, entryId } = await review();
    const people = await Promise.all(Array.from({ length: 5 }, () => createUser(product)));
    const answers = await Promise.all(people.flatMap((person) => [mark(id, person), mark(id, person)]));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await shown(entryId)).toEqual([5]);
    await Promise.all(people.slice(0, 3).flatMap((person) => [unmark(id, person), unmark(id, person)]));
    expect(await shown(entryId)).toEqual([2]);
    await Promise.all(people.flatMap((person) => [mark(id, person), unmark(id, person)]));
    const left = await Promise.all(people.map(async (person) => (await mine(entryId, person)).body.length));
    expect(await shown(entryId)).toEqual([left.reduce((total, one) => total + one, 0)]);
  });

  test('that come together are stored together, and whoever is answered finds the new number', async () => {
    const limited = await startForTest(engine, { RATE_LIMIT: 'on' });
    const entry = await createEntry(limited, category);
    const { body: posted } = await postReview(limited, category, entry.id, await createUser(limited));
    const people = await Promise.all(Array.from({ length: 4 }, () => createUser(limited)));
    const readHelpful = async () =>
      (await call(limited, `GET /auth/${calls.reviews}/${entry.id}`)).body[0].helpful as number;
    const found = await Promise.all(
      people.map(async ({ token }, index) => {
        // The reads come between the marks, so that what one mark has changed is cached again before the next.
        for (let times = 0; times <= index; times += 1) await readHelpful();
        const { body } = await call(limited, `POST /auth/markHelpful/${posted.id}`, { token });
        expect(await readHelpful()).toBeGreaterThanOrEqual(body.helpful);
        return body.helpful as number;
      }),
    );
    expect(found.sort()).toEqual([1, 2, 3, 4]);
  });

  test("one's own review is refused, and so is what is not there", async () => {
    const { id, entryId } = await review();
    const own = { status: 403, body: { error: 'This is your own review. It is for others to mark.' } };
    expect(await mark(id, author)).toMatchObject(own);
    expect(await unmark(id, author)).toMatchObject(own);
    expect(await shown(entryId)).toEqual([0]);
    await call(product, `DELETE /auth/${calls.removeReview}/${id}`, { token: author.token });
    const gone = { status: 404, body: { error: 'There is no such review.' } };
    expect(await mark(id)).toMatchObject(gone);
    expect(await unmark(id)).toMatchObject(gone);
    expect(await call(product, `GET /auth/getReview/${id}`)).toMatchObject(gone);
    expect((await mine(9_007_199_254)).status).toBe(404);
  });

  test('stay when the review is edited a little, and go with it, or with its entry until that comes back', async () => {
    const { id, entryId } = await review();
    await mark(id);
    const body = { id, rating: 3.5, review: 'GOOD!' };
    const edited = await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
    expect(edited.body.helpful).toBe(1);
    await call(product, `DELETE /auth/${calls.remove}/${entryId}`, { token: admin.token });
    const { token } = reader;
    expect((await call(product, `GET /auth/getMyHelpful/${entryId}`, { token })).status).toBe(404);
    expect(await unmark(id)).toMatchObject({ status: 404 });
    const restored = { kind: 'entry', id: entryId };
    await call(product, 'POST /auth/restoreDeleted', { token: admin.token, body: restored });
    expect((await call(product, `GET /auth/getMyHelpful/${entryId}`, { token })).body).toEqual([id]);
    await call(product, `DELETE /auth/${calls.removeReview}/${id}`, { token: author.token });
    const left = await product.app.database.read
      .selectFrom('helpful_marks')
      .selectAll()
      .where('review_id', '=', id)
      .execute();
    expect(left).toEqual([]);
  });

  test('of a deleted user go, and the counts follow at once', async () => {
    const [one, other] = [await review(), await review()];
    const leaving = await createUser(product);
    for (const { id } of [one, other]) {
      await mark(id);
      await mark(id, leaving);
    }
    expect([await shown(one.entryId), await shown(other.entryId)]).toEqual([[2], [2]]);
    const { status } = await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token });
    expect(status).toBe(204);
    expect([await shown(one.entryId), await shown(other.entryId)]).toEqual([[1], [1]]);
  });

  test('a review alone says where it belongs, and follows what is renamed, edited and withdrawn', async () => {
    const school = await createEntry(product, category);
    const posted = await postReview(product, category, school.id, author, { relation: 'parent', since: 2020 });
    const { userId: _userId, isHidden: _isHidden, isFirst: _isFirst, ...shownReview } = posted.body;
    const alone = () => call(product, `GET /auth/getReview/${posted.body.id}`);
    const { schoolName } = (await call(product, `GET /auth/getSchool/${school.schoolId}`)).body;
    const located = { category: category.kind, entryId: school.id, entryName: school.name, schoolId: school.schoolId };
    expect((await alone()).body).toEqual({ ...shownReview, ...located, schoolName, isBeingChecked: false });
    const change = { [category.nameField]: 'Renamed', description: 'd', id: school.id, schoolId: school.schoolId };
    await call(product, `PUT /auth/${calls.update}`, { token: admin.token, body: change });
    expect((await alone()).body.entryName).toBe('Renamed');
    const body = { id: posted.body.id, rating: 2, review: 'Less so.' };
    await call(product, `PUT /auth/${calls.updateReview}`, { token: author.token, body });
    expect((await alone()).body).toMatchObject({ rating: 2, review: 'Less so.' });
    await call(product, `DELETE /auth/deleteSchool/${school.schoolId}`, { token: admin.token });
    expect((await alone()).status).toBe(404);
  });

  test('a user marks and unmarks a hundred and twenty times an hour', async () => {
    const limited = await startForTest(engine, { RATE_LIMIT: 'on' });
    const [writer, marker] = [await createUser(limited), await createUser(limited)];
    const entry = await createEntry(limited, category);
    const { body } = await postReview(limited, category, entry.id, writer);
    const send = (method: string, { token } = marker) =>
      call(limited, `${method} /auth/markHelpful/${body.id}`, { token });
    for (let count = 0; count < LIMITS.helpfulMarks.max; count += 1) {
      expect((await send(count % 2 === 0 ? 'POST' : 'DELETE')).status).toBe(200);
    }
    expect(await send('POST')).toMatchObject({ status: 429, body: { error: LIMITS.helpfulMarks.sentence } });
    limited.clock.ahead += LIMITS.helpfulMarks.windowMs + 1000;
    expect((await send('POST', { ...marker, token: await signIn(limited, marker.id) })).status).toBe(200);
  });
});
