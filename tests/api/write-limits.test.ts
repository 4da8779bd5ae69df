import { expect, test } from 'vitest';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { type Answer, call } from '../support/call.ts';
import { category, createEntry, createSchool, createUser, postReview, signIn } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

describeProduct('limits of writing on %s', { RATE_LIMIT: 'on' }, (product) => {
  /** Below the limit and at it the write goes through, after it no more. */
  const expectLimit = async (limit: { max: number; sentence: string }, write: () => Promise<Answer>, status = 200) => {
    for (let count = 1; count <= limit.max; count += 1) expect((await write()).status, `write ${count}`).toBe(status);
    const refused = await write();
    expect(refused).toMatchObject({ status: 429, body: { error: limit.sentence } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  test('a user edits reviews sixty times an hour', async () => {
    const [author, other] = [await createUser(product), await createUser(product)];
    const entry = await createEntry(product, category);
    const review = await postReview(product, category, entry.id, author);
    const others = await postReview(product, category, entry.id, other);
    const edit = (id: number, token: string) =>
      call(product, `PUT /auth/${category.calls.updateReview}`, { token, body: { id, rating: 3, review: 'Edited.' } });
    // A request that is refused for another reason is not counted.
    expect((await edit(others.body.id, author.token)).status).toBe(403);
    await expectLimit(LIMITS.reviewEdits, () => edit(review.body.id, author.token));
    expect((await edit(others.body.id, other.token)).status).toBe(200);
    product.clock.ahead += LIMITS.reviewEdits.windowMs + 1000;
    expect((await edit(review.body.id, await signIn(product, author.id))).status).toBe(200);
  });

  test('a user saves the profile thirty times an hour', async () => {
    const user = await createUser(product);
    const save = (token: string) => call(product, 'POST /auth/postProfile', { token, body: { location: 'Norway' } });
    await expectLimit(LIMITS.profileSaves, () => save(user.token), 201);
    expect((await save((await createUser(product)).token)).status).toBe(201);
    product.clock.ahead += LIMITS.profileSaves.windowMs + 1000;
    expect((await save(await signIn(product, user.id))).status).toBe(201);
  });

  test('a user saves and removes schools three hundred times an hour', async () => {
    const user = await createUser(product);
    const { id } = await createSchool(product);
    let isSaved = false;
    const toggle = (token: string) => {
      isSaved = !isSaved;
      return call(product, `${isSaved ? 'PUT' : 'DELETE'} /auth/saveSchool/${id}`, { token });
    };
    await expectLimit(LIMITS.schoolSaves, () => toggle(user.token), 204);
    expect((await toggle(user.token)).status).toBe(429);
    expect((await toggle((await createUser(product)).token)).status).toBe(204);
    product.clock.ahead += LIMITS.schoolSaves.windowMs + 1000;
    expect((await toggle(await signIn(product, user.id))).status).toBe(204);
  });

  test('an admin blocks sixty people an hour, and lifts blocks without end', async () => {
    const [admin, user] = [await createUser(product, { isAdmin: true }), await createUser(product)];
    const put = (isBlocked: boolean) =>
      call(product, `PUT /auth/blockUser/${user.id}`, {
        token: admin.token,
        body: isBlocked ? { isBlocked, reason: 'Many adverts.' } : { isBlocked },
      });
    await expectLimit(LIMITS.blocks, () => put(true));
    for (let count = 0; count < 3; count += 1) expect((await put(false)).status).toBe(200);
    expect((await put(true)).status).toBe(429);
  });

  test('an admin changes three hundred things a minute, of whatever sort', async () => {
    const [admin, other] = [await createUser(product, { isAdmin: true }), await createUser(product, { isAdmin: true })];
    const school = await createSchool(product);
    const entry = await createEntry(product, category, school.id);
    const { name } = entry;
    const update = (token: string) => call(product, 'PUT /auth/updateSchool', { token, body: school });
    await expectLimit(LIMITS.adminWrites, () => update(admin.token));
    const { token } = admin;
    const values = { schoolId: school.id, description: 'x', [category.nameField]: name };
    const more = [
      call(product, 'POST /auth/postSchool', { token, body: school }),
      call(product, `POST /auth/${category.calls.create}`, { token, body: values }),
      call(product, `PUT /auth/${category.calls.update}`, { token, body: { id: entry.id, ...values } }),
      call(product, `PUT /auth/updateUser/${other.id}`, { token, body: { isAdmin: false } }),
    ];
    expect((await Promise.all(more)).map(({ status }) => status)).toEqual([429, 429, 429, 429]);
    expect((await update(other.token)).status).toBe(200);
    product.clock.ahead += LIMITS.adminWrites.windowMs + 1000;
    expect((await update(admin.token)).status).toBe(200);
  });
});
