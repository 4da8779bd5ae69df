import { expect, test } from 'vitest';
import { grantAdmin } from '../../src/server/accounts/admins.ts';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { call } from '../support/call.ts';
import { createReviewOf } from '../support/moderation.ts';
import { category, createUser, PASSWORD, readMailsTo, type TestUser, unique } from '../support/rows.ts';
import { adminOf, describeProduct } from '../support/site.ts';

const REFUSED =
  'Your account is blocked. Reason: Many adverts. If you think that this is a mistake, please write to support@example.com.';

describeProduct('blocking on %s', (product) => {
  const admin = adminOf(product);

  const put = (userId: number, body: object) =>
    call(product, `PUT /auth/blockUser/${userId}`, { token: admin.token, body });
  const block = (userId: number, reason = 'Many adverts') => put(userId, { isBlocked: true, reason });
  const logIn = ({ email }: TestUser) => call(product, 'POST /auth/login', { body: { email, password: PASSWORD } });
  const setAdmin = (id: number) =>
    call(product, `PUT /auth/updateUser/${id}`, { token: admin.token, body: { isAdmin: true } });
  const listed = async (userId: number) =>
    (await call(product, 'GET /auth/getUsers', { token: admin.token })).body.find(
      ({ id }: { id: number }) => id === userId,
    );

  test('ends the sessions, refuses the login with the reason, mails it, and leaves the reviews', async () => {
    const { author: user, entry, reviewId } = await createReviewOf(product);
    const blocked = { id: user.id, username: user.username, isAdmin: false, isBlocked: true };
    expect(await block(user.id)).toMatchObject({ status: 200, body: blocked });
    expect(await listed(user.id)).toEqual(blocked);
    expect((await call(product, `GET /auth/getProfile/${user.id}`, { token: user.token })).status).toBe(401);
    const refused = await logIn(user);
    expect([refused.status, refused.body]).toEqual([403, { error: REFUSED, code: 'blocked' }]);
    const [mail] = await readMailsTo(product, user.email);
    expect(mail).toContain('Your account was blocked');
    expect(mail).toContain('Reason: Many adverts');
    expect(mail).toContain('please write to support@example.com');
    const { body: reviews } = await call(product, `GET /auth/${category.calls.reviews}/${entry.id}`);
    expect(reviews).toMatchObject([{ id: reviewId, username: user.username }]);
  });

  test('is not revealed to somebody who does not know the password', async () => {
    const user = await createUser(product);
    await block(user.id);
    const body = { email: user.email, password: 'not the password' };
    const refused = await call(product, 'POST /auth/login', { body });
    expect([refused.status, refused.body.code]).toEqual([401, undefined]);
  });

  test('is mailed once, again with another reason, and never to an unverified mailbox', async () => {
    const user = await createUser(product);
    for (const reason of ['Many adverts', 'Many adverts', 'Threats']) {
      await block(user.id, reason);
      await product.app.outbox.flush();
    }
    const mails = await readMailsTo(product, user.email);
    expect(mails.map((mail) => /^Reason: (.*)$/m.exec(mail)?.[1])).toEqual(['Many adverts', 'Threats']);
    const unverified = { username: unique('new'), email: `${unique('new')}@example.org`, passwordHash: 'none' };
    const id = await product.app.database.write((db) => insertUser(db, { ...unverified, verifiedAt: null }, 0));
    expect((await block(Number(id))).status).toBe(200);
    expect(await readMailsTo(product, unverified.email)).toEqual([]);
    const signedUp = { username: unique('new'), email: `${unique('new')}@example.org`, password: PASSWORD };
    const { body: account } = await call(product, 'POST /auth/signup', { body: signedUp });
    await block(account.id);
    const { status, body: refused } = await call(product, 'POST /auth/login', { body: signedUp });
    expect([status, refused]).toEqual([403, { error: REFUSED, code: 'blocked' }]);
  });

  test('ends when an admin lifts it', async () => {
    const user = await createUser(product);
    await block(user.id);
    expect(await put(user.id, { isBlocked: false })).toMatchObject({ status: 200, body: { isBlocked: false } });
    expect((await logIn(user)).status).toBe(200);
    const path = `GET /auth/getAdminActs?subjectKind=user&subjectId=${user.id}`;
    const { body } = await call(product, path, { token: admin.token });
    expect(body.map(({ act, reason }: { act: string; reason: string }) => [act, reason])).toEqual([
      ['blockUser', 'unblocked'],
      ['blockUser', 'blocked: Many adverts'],
    ]);
  });

  test('needs a reason, somebody there, and nobody who is an admin', async () => {
    const { id } = await createUser(product);
    const refusal = async (userId: number, body: object) => {
      const answer = await put(userId, body);
      return [answer.status, answer.body.error];
    };
    expect(await refusal(id, { isBlocked: true })).toEqual([400, 'The reason is missing.']);
    expect(await refusal(id, { isBlocked: true, reason: ' no ' })).toEqual([
      400,
      'The reason must have at least 3 characters.',
    ]);
    expect(await refusal(999_999, { isBlocked: false })).toEqual([404, 'There is no such user.']);
    expect(await refusal(admin.id, { isBlocked: true, reason: 'Many adverts' })).toEqual([
      409,
      'An admin cannot be blocked. Take the admin flag away first.',
    ]);
    expect(await listed(id)).toMatchObject({ isBlocked: false });
  });

  test('prevents becoming an admin, by a call or at the command line', async () => {
    const user = await createUser(product);
    await block(user.id);
    expect(await setAdmin(user.id)).toMatchObject({
      status: 409,
      body: { error: 'This account is blocked. Unblock it before you make it an admin.' },
    });
    await expect(grantAdmin(product.app.database, user.email, 0)).rejects.toThrow(/is blocked/);
    expect(await listed(user.id)).toMatchObject({ isAdmin: false, isBlocked: true });
  });

  test('and granting admin rights at once: only one succeeds', async () => {
    const { id } = await createUser(product);
    const statuses = (await Promise.all([block(id), setAdmin(id)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const { isAdmin, isBlocked } = await listed(id);
    expect(isAdmin).toBe(!isBlocked);
  });

  test('and a login at once leave no session open', async () => {
    const user = await createUser(product);
    const [login, answer] = await Promise.all([logIn(user), block(user.id)]);
    expect(answer.status).toBe(200);
    expect([200, 403]).toContain(login.status);
    const { read } = product.app.database;
    expect(await read.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).toEqual([]);
  });
});
