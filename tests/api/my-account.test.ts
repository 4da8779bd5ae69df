import { expect, test } from 'vitest';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { call } from '../support/call.ts';
import { readMetric } from '../support/metrics.ts';
import type { Product } from '../support/product.ts';
import {
  category,
  createEntry,
  createUser,
  PASSWORD,
  postReview,
  readMailsTo,
  readPasscode,
  signIn,
  type TestUser,
  unique,
} from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;
const change = (product: Product, { token }: { token: string }, body: object) =>
  call(product, 'PUT /auth/updateMyAccount', { token, body: { password: PASSWORD, ...body } });
const confirm = (product: Product, { token }: { token: string }, code: string) =>
  call(product, 'POST /auth/confirmMyEmail', { token, body: { code } });
const listOf = async (product: Product, entryId: number) =>
  (await call(product, `GET /auth/${category.calls.reviews}/${entryId}`)).body;
const newMailbox = () => `${unique('Mailbox')}@example.org`;

describeProduct('a session on %s', (product) => {
  test('is listed for its owner and ended by nobody else', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const stolen = await signIn(product, user.id);
    const { body } = await call(product, 'GET /auth/getMySessions', { token: user.token });
    expect(body.map(({ isThis }: { isThis: boolean }) => isThis).sort()).toEqual([false, true]);
    const { id } = body.find(({ isThis }: { isThis: boolean }) => !isThis);
    const end = ({ token }: { token: string }, what: unknown) =>
      call(product, `DELETE /auth/endMySession/${what}`, { token });
    expect((await end(other, id)).status).toBe(404);
    expect((await end(user, 'x')).status).toBe(400);
    expect((await end(user, id)).status).toBe(204);
    expect((await end(user, id)).status).toBe(404);
    expect((await call(product, 'GET /auth/getMySessions', { token: stolen })).status).toBe(401);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).body).toHaveLength(1);
  });
});

describeProduct('another name on %s', (product) => {
  test('shows on signed reviews at once and leaves anonymous ones as they were', async () => {
    const user = await createUser(product);
    const [signed, anonymous] = [await createEntry(product, category), await createEntry(product, category)];
    await postReview(product, category, signed.id, user);
    await postReview(product, category, anonymous.id, user, { username: null });
    // On PostgreSQL a process reads its own changes in the log too, a moment later, and invalidates responses again.
    await product.app.database.follow();
    const misses = () => readMetric(product, 'cached_response_misses_total');
    const ofCategory = ({ schoolId }: { schoolId: number }) =>
      call(product, `GET /auth/getCategoryReviews/${schoolId}?category=${category.kind}`);
    const feedOf = ({ id }: { id: number }) => call(product, `GET /feeds/entry/${id}.atom`);
    for (const entry of [signed, anonymous]) {
      await Promise.all([listOf(product, entry.id), ofCategory(entry), feedOf(entry)]);
    }
    const before = await misses();
    const username = unique('renamed');
    const { status, body } = await change(product, user, { username });
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), username });
    // None of these responses is invalidated: that would show where the user wrote without a name.
    expect((await listOf(product, anonymous.id))[0]).not.toHaveProperty('username');
    expect((await ofCategory(anonymous)).body[0]).not.toHaveProperty('username');
    expect((await feedOf(anonymous)).text).toContain('<name>Anonymous</name>');
    expect((await misses()) - before).toBe(0);
    expect(await listOf(product, signed.id)).toMatchObject([{ username }]);
    expect((await misses()) - before).toBe(1);
    expect((await ofCategory(signed)).body).toMatchObject([{ username }]);
    expect((await feedOf(signed)).text).toContain(`<name>${username}</name>`);
    expect((await listOf(product, signed.id))[0]).not.toHaveProperty('editedAt');
    // The token from before the change belongs to the same session, and its posts are signed with the new name.
    const entry = await createEntry(product, category);
    expect((await postReview(product, category, entry.id, user)).body.username).toBe(username);
    const again = { ...user, token: body.token, username };
    expect((await call(product, 'GET /auth/getMySessions', { token: again.token })).body).toHaveLength(1);
    const stranger = await createUser(product);
    const lie = await postReview(product, category, entry.id, stranger, { username });
    expect(lie.status).toBe(403);
  });

  test('is had once in thirty days, and the former one is nobody else’s for a year', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const username = unique('second');
    expect((await change(product, user, { username })).status).toBe(200);
    expect((await change(product, user, { username: unique('third') })).status).toBe(409);
    const former = user.username.toUpperCase();
    expect((await change(product, other, { username: former })).body.field).toBe('username');
    const signup = (email: string) =>
      call(product, 'POST /auth/signup', { body: { username: former, email, password: PASSWORD } });
    expect((await signup(newMailbox())).status).toBe(409);
    const stored = await product.app.database.read.selectFrom('former_names').selectAll().execute();
    expect(JSON.stringify(stored).toLowerCase()).not.toContain(user.username);
    product.clock.ahead += 31 * DAY;
    const [late, lateOther] = [await signIn(product, user.id), await signIn(product, other.id)];
    expect((await change(product, { token: lateOther }, { username: former })).status).toBe(409);
    expect((await change(product, { token: late }, { username: user.username })).status).toBe(200);
    product.clock.ahead += 366 * DAY;
    await sweepExpired(product.app.database, Date.now() + product.clock.ahead);
    expect(await product.app.database.read.selectFrom('former_names').selectAll().execute()).toEqual([]);
    const latest = { token: await signIn(product, other.id) };
    expect((await change(product, latest, { username })).status).toBe(200);
    product.clock.ahead = 0;
  });

  test.each([
    ['a wrong password', { password: 'not the password', username: 'anybody' }, 401, 'password'],
    ['a reserved one', { username: 'Admin' }, 400, 'username'],
    ['one that is none', { username: 'a b' }, 400, 'username'],
  ])('is refused for %s', async (_, body, status, field) => {
    const answer = await change(product, await createUser(product), body);
    expect([answer.status, answer.body.field]).toEqual([status, field]);
  });

  test('is taken by one of two who ask for it at once', async () => {
    const users = [await createUser(product), await createUser(product)];
    const username = unique('wanted');
    const answers = await Promise.all(users.map((user) => change(product, user, { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('is answered as had to both of two equal requests at once', async () => {
    const user = await createUser(product);
    const username = unique('twice');
    const answers = await Promise.all([1, 2].map(() => change(product, user, { username })));
    expect(answers.map(({ status, body }) => [status, body.username])).toEqual([1, 2].map(() => [200, username]));
  });

  test('signs reviews that are posted and edited meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await createUser(product);
      const entries = [await createEntry(product, category), await createEntry(product, category)];
      const before = await postReview(product, category, entries[0]?.id ?? 0, user, { username: null });
      const username = unique('meanwhile');
      const edit = { id: before.body.id, rating: 1, review: 'Signed.', username: user.username };
      await Promise.all([
        change(product, user, { username }),
        postReview(product, category, entries[1]?.id ?? 0, user),
        call(product, `PUT /auth/${category.calls.updateReview}`, { token: user.token, body: edit }),
      ]);
      for (const { id } of entries) expect((await listOf(product, id))[0].username).toBe(username);
    }
  });
});

describeProduct('another email on %s', (product) => {
  const ask = async (user: TestUser) => {
    const email = newMailbox();
    const { status, body } = await change(product, user, { email });
    expect([status, body]).toEqual([200, { username: user.username, pendingEmail: email }]);
    return email;
  };
  const logIn = async (email: string) =>
    (await call(product, 'POST /auth/login', { body: { email, password: PASSWORD } })).status;

  test('counts once its passcode is entered, ends other sessions, and the former mailbox is told both times', async () => {
    const user = await createUser(product);
    const other = await signIn(product, user.id);
    const email = await ask(user);
    expect(await logIn(user.email)).toBe(200);
    expect((await readMailsTo(product, user.email)).at(-1)).toContain('asked for another email');
    const [mail = ''] = await readMailsTo(product, email);
    expect(mail).not.toContain(user.username);
    const code = await readPasscode(product, email);
    expect((await confirm(product, user, '000000')).status).toBe(400);
    expect((await confirm(product, user, code)).status).toBe(204);
    expect((await confirm(product, user, code)).status).toBe(400);
    expect((await call(product, 'GET /auth/getMySessions', { token: other })).status).toBe(401);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).body).toHaveLength(1);
    expect([await logIn(user.email), await logIn(email)]).toEqual([401, 200]);
    expect((await readMailsTo(product, user.email)).at(-1)).toContain('has another email from now on');
    expect(await product.app.database.read.selectFrom('email_changes').selectAll().execute()).toEqual([]);
  });

  test('is asked for in vain, and answered the same, when the mailbox is somebody’s', async () => {
    const [user, owner] = [await createUser(product), await createUser(product)];
    const { status, body } = await change(product, user, { email: owner.email });
    expect([status, body]).toEqual([200, { username: user.username, pendingEmail: owner.email }]);
    expect(await readMailsTo(product, owner.email)).toEqual([]);
    expect((await change(product, user, { email: user.email.toUpperCase() })).status).toBe(400);
  });

  test('is a conflict when somebody else gets the mailbox meanwhile', async () => {
    const users = [await createUser(product), await createUser(product)];
    const email = newMailbox();
    const codes: string[] = [];
    for (const user of users) {
      await change(product, user, { email });
      codes.push(await readPasscode(product, email));
    }
    const answers = await Promise.all(users.map((user, index) => confirm(product, user, codes[index] ?? '')));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  test('is confirmed once by two who enter its passcode at once, and not with a token whose session ended', async () => {
    const user = await createUser(product);
    const stale = await signIn(product, user.id);
    const code = await readPasscode(product, await ask(user));
    const answers = await Promise.all([user, user].map((one) => confirm(product, one, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    expect((await confirm(product, { token: stale }, code)).status).toBe(401);
    expect((await change(product, { token: stale }, { username: unique('late') })).status).toBe(401);
  });

  test('is one of two that are asked for at once', async () => {
    const user = await createUser(product);
    const emails = [newMailbox(), newMailbox()];
    const answers = await Promise.all(emails.map((email) => change(product, user, { email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const waiting = await product.app.database.read
      .selectFrom('email_changes')
      .select('new_email')
      .where('user_id', '=', user.id)
      .execute();
    expect(waiting).toHaveLength(1);
    const last = waiting[0]?.new_email ?? '';
    expect((await confirm(product, user, await readPasscode(product, last))).status).toBe(204);
    const [first = ''] = emails.filter((email) => email !== last);
    expect([await logIn(first), await logIn(last)]).toEqual([401, 200]);
  });

  test('takes the place of a sign-up that nobody verified', async () => {
    const user = await createUser(product);
    const email = newMailbox();
    const body = { username: unique('squatter'), email, password: PASSWORD };
    expect((await call(product, 'POST /auth/signup', { body })).status).toBe(201);
    await change(product, user, { email });
    expect((await confirm(product, user, await readPasscode(product, email))).status).toBe(204);
    expect(await logIn(email)).toBe(200);
  });

  test('is not had with the code for another mailbox, nor after a day', async () => {
    const user = await createUser(product);
    const code = await readPasscode(product, await ask(user));
    const second = await ask(user);
    expect((await confirm(product, user, code)).status).toBe(400);
    const right = await readPasscode(product, second);
    await product.app.database.write((db) =>
      db
        .updateTable('email_changes')
        .set((row) => ({ asked_at: row('asked_at', '-', DAY) }))
        .execute(),
    );
    expect((await confirm(product, user, right)).status).toBe(400);
    await sweepExpired(product.app.database, Date.now());
    expect(await product.app.database.read.selectFrom('email_changes').selectAll().execute()).toEqual([]);
  });

  test('is asked for ten times a day, however RATE_LIMIT stands', async () => {
    const user = await createUser(product);
    for (let times = 0; times < 10; times += 1)
      expect((await change(product, user, { email: newMailbox() })).status).toBe(200);
    expect((await change(product, user, { email: newMailbox() })).status).toBe(429);
  });
});
