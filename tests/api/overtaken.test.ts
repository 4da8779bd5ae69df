import { expect, test, vi } from 'vitest';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import type { AccountTools } from '../../src/server/accounts/account-tools.ts';
import { logIn } from '../../src/server/accounts/login.ts';
import { changePassword } from '../../src/server/accounts/password-changes.ts';
import { findUserByEmail, markVerified, setPassword } from '../../src/server/accounts/queries.ts';
import { deleteSessions } from '../../src/server/accounts/session-queries.ts';
import { deleteUser } from '../../src/server/accounts/users/queries.ts';
import type { Connection } from '../../src/server/database/database.ts';
import { createThrottles } from '../../src/server/http/limits/throttle.ts';
import { insertReview } from '../../src/server/reviews/queries.ts';
import { hashPassword } from '../../src/server/security/passwords.ts';
import { keyedHash, openKeys } from '../../src/server/security/secrets.ts';
import { call } from '../support/call.ts';
import { holdTransaction, waitForLocks } from '../support/held-transactions.ts';
import { createEntry, createSchool, createUser, PASSWORD, postReview, type TestUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const category = CATEGORIES[0] as Category;
const ADDRESS = '127.0.0.1';
const NEW_PASSWORD = 'another day, another sea';

describeProduct('a request overtaken by a concurrent change on %s', (product, engine) => {
  /** The rules' tools, with a change that is committed between a read and the write that depends on it. */
  function overtakenBy(change: (db: Connection) => Promise<void>): AccountTools {
    const { database, outbox } = product.app;
    const keys = openKeys(undefined, product.dataDir);
    return {
      database: {
        ...database,
        write: async (body) => {
          await database.write(change);
          return database.write(body);
        },
      },
      keys,
      throttles: createThrottles((...parts) => keyedHash(keys.throttle, ...parts), false),
      outbox,
      siteName: 'School Reviews',
      supportEmail: 'support@example.com',
      now: Date.now,
    };
  }

  /** The effects of a reset by mail. */
  const reset = (user: TestUser) => async (db: Connection) => {
    await setPassword(db, user.id, await hashPassword(NEW_PASSWORD));
    await deleteSessions(db, user.id);
  };
  const countSessions = async ({ id }: TestUser) =>
    (await product.app.database.read.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).length;
  const canLogIn = async ({ email }: TestUser, password: string) =>
    (await call(product, 'POST /auth/login', { body: { email, password } })).status === 200;

  test('a login with the password from before a reset opens no session', async () => {
    const user = await createUser(product);
    const tools = overtakenBy(reset(user));
    const login = logIn(tools, { email: user.email, password: PASSWORD }, ADDRESS, product.app.server.log);
    await expect(login).rejects.toMatchObject({ status: 401 });
    expect(await countSessions(user)).toBe(0);
  });

  test('a login of somebody who is just deleted is refused like any other', async () => {
    const user = await createUser(product);
    const tools = overtakenBy(async (db) => void (await deleteUser(db, user.id)));
    const login = logIn(tools, { email: user.email, password: PASSWORD }, ADDRESS, product.app.server.log);
    await expect(login).rejects.toMatchObject({ status: 401 });
  });

  test('a change of password from before a reset does not undo it', async () => {
    const user = await createUser(product);
    const { id: userId, username } = user;
    const caller = { userId, username, tokenUsername: username, isAdmin: false, joinedAt: 0, sessionId: 'any' };
    const passwords = { currentPassword: PASSWORD, newPassword: 'what the thief would like' };
    const change = changePassword(overtakenBy(reset(user)), caller, passwords, ADDRESS);
    await expect(change).rejects.toMatchObject({ status: 401 });
    await expect(await canLogIn(user, NEW_PASSWORD)).toBe(true);
    expect(await canLogIn(user, passwords.newPassword)).toBe(false);
  });

  test('a sign-up does not take the account of somebody who is verifying it', async () => {
    const email = `${unique('verifying')}@example.org`;
    const signUp = () =>
      call(product, 'POST /auth/signup', { body: { username: unique('new'), email, password: NEW_PASSWORD } });
    const { id } = (await signUp()).body;
    const letGo = await holdTransaction(product, (db) => markVerified(db, { id, is_contested: 0 }, Date.now()));
    const again = signUp();
    await waitForLocks(product, 1);
    await letGo();
    expect((await again).status).toBe(409);
    expect((await findUserByEmail(product.app.database.read, email))?.id).toBe(id);
  });

  test('a review posted while its author is deleted names nobody', async () => {
    const [user, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
    const entry = await createEntry(product, category);
    const values = { rating: 4, review: 'Good.', username: user.username };
    const letGo = await holdTransaction(product, (db) => insertReview(db, entry, user.id, values, Date.now()));
    const deletion = call(product, `DELETE /auth/deleteUser/${user.id}`, { token: admin.token });
    await waitForLocks(product, 1);
    await letGo();
    expect((await deletion).status).toBe(204);
    const { body } = await call(product, `GET /auth/${category.calls.reviews}/${entry.id}`);
    expect(body).toEqual([expect.not.objectContaining({ username: user.username })]);
  });

  test.each<[what: string, request: string, body?: object]>([
    ['posts a review', `POST /auth/${category.calls.postReview}`],
    ['reports a review', 'POST /auth/reportReview/:reviewId', { reason: 'spam' }],
    ['marks a review', 'POST /auth/markHelpful/:reviewId'],
    ['saves a school', 'PUT /auth/saveSchool/:schoolId'],
    ['proposes a school', 'POST /auth/proposeSchool', { schoolName: unique('Proposed'), location: 'Here' }],
    ['saves a profile', 'POST /auth/postProfile', { goals: 'to stay' }],
  ])('who %s while being deleted is told that the session has ended', async (_what, request, given) => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const entry = await createEntry(product, category);
    const { id: reviewId } = (await postReview(product, category, entry.id, other)).body;
    const path = request.replace(':reviewId', reviewId).replace(':schoolId', String(entry.schoolId));
    const letGo = await holdTransaction(product, (db) => deleteUser(db, user.id));
    const write = vi.spyOn(product.app.database, 'write');
    const body = { [category.itemKey]: { id: entry.id }, rating: 4, review: 'Good.' };
    const answer = call(product, path, { token: user.token, body: given ?? body });
    // By then the caller is identified, and the request waits for the deletion.
    await vi.waitUntil(() => write.mock.calls.length === 1);
    write.mockRestore();
    await letGo();
    const { status, headers } = await answer;
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('invalid_token');
  });

  // SQLite has one writer, so nothing can happen in between.
  test.runIf(engine === 'postgres')('an entry added while its school is deleted is not stored', async () => {
    const [admin, school] = [await createUser(product, { isAdmin: true }), await createSchool(product)];
    const letGo = await holdTransaction(product, (db) =>
      db.selectFrom('schools').select('id').where('id', '=', school.id).forKeyShare().execute(),
    );
    const deletion = call(product, `DELETE /auth/deleteSchool/${school.id}`, { token: admin.token });
    await waitForLocks(product, 1);
    const entry = await createEntry(product, category, school.id);
    const read = async () => (await call(product, `GET /auth/${category.calls.nameLookup}/${entry.id}`)).status;
    expect(await read()).toBe(200);
    await letGo();
    expect((await deletion).status).toBe(204);
    expect(await read()).toBe(404);
  });
});
