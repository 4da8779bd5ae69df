import { expect, test } from 'vitest';
import { sweepExpired } from '../../src/server/accounts/expiry.ts';
import { findUserByEmail } from '../../src/server/accounts/queries.ts';
import { createAccountSteps } from '../support/account-steps.ts';
import { type Answer, call } from '../support/call.ts';
import { runCommand } from '../support/command.ts';
import { startMailServer } from '../support/mail-server.ts';
import { createReviewOf, hide, report } from '../support/moderation.ts';
import { dataOf, type Product } from '../support/product.ts';
import {
  category,
  createEntry,
  createUser,
  PASSWORD,
  postReview,
  readPasscode,
  signIn,
  type TestUser,
} from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

const DAY = 24 * 60 * 60_000;

const stateOf = (product: Product, admin: TestUser, userId: number) =>
  call(product, `GET /auth/getUserState/${userId}`, { token: admin.token });
const help = (product: Product, admin: TestUser, what: string, userId: number) =>
  call(product, `POST /auth/${what}/${userId}`, { token: admin.token });
const find = (product: Product, admin: TestUser, email: string) =>
  call(product, 'POST /auth/findUser', { token: admin.token, body: { email } });
const block = (product: Product, admin: TestUser, userId: number) =>
  call(product, `PUT /auth/blockUser/${userId}`, { token: admin.token, body: { isBlocked: true, reason: 'Adverts.' } });
const tableOf = (product: Product, table: 'refused_logins' | 'account_mails') =>
  product.app.database.read.selectFrom(table).selectAll().execute();

describeProduct('the state of a user on %s', (product) => {
  const admin = adminOf(product);
  const { logIn, signUp, member, post } = createAccountSteps(() => product);
  const idOf = async (email: string) => (await findUserByEmail(product.app.database.read, email))?.id ?? 0;
  const reasonsOf = ({ body }: Answer) => body.refusedLogins.map(({ reason }: { reason: string }) => reason);

  /** A command on the same data gives the same answer. */
  async function explain(email: string): Promise<string> {
    const { stdout, stderr } = await runCommand('admin', ['explain', email], dataOf(product));
    expect(stderr).toBe('');
    return stdout;
  }
  const lastRefusal = () => product.logs.findLast(({ event }) => event === 'login-failed');

  test('says why somebody cannot log in, by the call, the command and the log', async () => {
    const unverified = await signUp();
    expect((await logIn(unverified.email, unverified.password)).status).toBe(403);
    const id = await idOf(unverified.email);
    const { status, body } = await stateOf(product, admin, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, isVerified: false, lastLoginOn: null, sessions: 0, signedReviews: 0 });
    expect(body.refusedLogins).toEqual([{ at: expect.any(String), reason: 'unverified' }]);
    expect(lastRefusal()).toMatchObject({ userId: id, reason: 'unverified' });
    expect(await explain(unverified.email)).toMatch('Cannot log in: the email is not verified.');

    const user = await createUser(product);
    await logIn(user.email, 'not the password');
    expect(reasonsOf(await stateOf(product, admin, user.id))).toEqual(['password']);
    expect(lastRefusal()).toMatchObject({ userId: user.id, reason: 'password' });
    expect(await explain(user.email)).toMatch(/refused on .*: the password was wrong/);
    expect((await block(product, admin, user.id)).status).toBe(200);
    expect((await logIn(user.email, PASSWORD)).status).toBe(403);
    const blocked = await stateOf(product, admin, user.id);
    expect(blocked.body).toMatchObject({ isBlocked: true, blockedReason: 'Adverts.' });
    expect(reasonsOf(blocked)).toEqual(['blocked', 'password']);
    expect(await explain(user.email)).toMatch('Cannot log in: the account is blocked. Reason: Adverts.');

    const nobody = 'nobody@example.org';
    await logIn(nobody, PASSWORD);
    const { stdout } = await runCommand('admin', ['key', nobody], dataOf(product));
    expect(lastRefusal()).toMatchObject({ reason: 'unknown mailbox' });
    expect(stdout.trim()).toBe(`"account":"${lastRefusal()?.account}"`);
    await expect(runCommand('admin', ['explain', nobody], dataOf(product))).resolves.toMatchObject({ code: 1 });
  });

  test('says that an account is locked and until when, and an admin unlocks it', async () => {
    const { id, email } = await createUser(product);
    for (let tries = 0; tries < 11; tries += 1) await logIn(email, 'not the password');
    const { body } = await stateOf(product, admin, id);
    expect(body.refusedLogins.map(({ reason }: { reason: string }) => reason)).toEqual([
      'locked',
      ...Array(10).fill('password'),
    ]);
    expect(Date.parse(body.lockedUntil)).toBeGreaterThan(Date.now());
    expect(lastRefusal()).toMatchObject({ userId: id, reason: 'locked', limit: 'wrong-passwords' });
    expect(await explain(email)).toMatch('Cannot log in: too many wrong passwords were tried.');
    expect((await logIn(email, PASSWORD)).status).toBe(429);
    expect((await help(product, admin, 'unlockUser', id)).status).toBe(204);
    expect((await stateOf(product, admin, id)).body).not.toHaveProperty('lockedUntil');
    expect(await explain(email)).toMatch('The account is not locked now: that lock is over');
    expect((await logIn(email, PASSWORD)).status).toBe(200);
    const after = (await stateOf(product, admin, id)).body;
    expect(after.lastLoginOn).toBe(new Date().toISOString().slice(0, 10));
    expect((await help(product, admin, 'unlockUser', id)).status).toBe(204);
  });

  test('says that a contested account has no password', async () => {
    const first = await signUp();
    await product.app.outbox.flush();
    const user = await signUp({ ...first, username: `${first.username}b` });
    await product.app.outbox.flush();
    const code = await readPasscode(product, user.email);
    expect((await post('verify', { email: user.email, verificationCode: code })).status).toBe(200);
    expect((await logIn(user.email, user.password)).status).toBe(401);
    expect(reasonsOf(await stateOf(product, admin, await idOf(user.email)))).toEqual(['contested']);
  });

  test('does not change when its owner posts, reports or is decided about without their name', async () => {
    const [user, other] = [await createUser(product), await createUser(product)];
    const { reviewId: reported } = await createReviewOf(product, other);
    await postReview(product, category, (await createEntry(product, category)).id, user);
    const read = async (path: string) => (await call(product, `GET ${path}`, { token: admin.token })).text;
    /** What an admin is answered about the person asked about, by the calls, the page and the command. */
    const tell = async () => ({
      state: await read(`/auth/getUserState/${user.id}`),
      found: (await find(product, admin, user.email)).text,
      listed: (await call(product, 'GET /auth/getUsers', { token: admin.token })).body.find(
        ({ id }: { id: number }) => id === user.id,
      ),
      page: await read(`/admin/users/${user.id}`),
      explained: await explain(user.email),
    });
    const before = await tell();
    expect(before.state).toContain('"signedReviews":1');
    const entry = await createEntry(product, category);
    const { body } = await postReview(product, category, entry.id, user, { username: null });
    expect(await tell()).toEqual(before);
    expect((await report(product, user, reported)).status).toBe(201);
    expect(await tell()).toEqual(before);
    const asked = `/auth/getAdminActs?subjectKind=user&subjectId=${user.id}`;
    const actsOf = async () =>
      JSON.parse(await read(asked)).filter(({ act }: { act: string }) => !/findUser|explain/.test(act));
    expect((await hide(product, admin, body.id)).status).toBe(200);
    expect(await tell()).toEqual(before);
    await product.app.outbox.flush();
    expect(await tell()).toEqual(before);
    expect(await actsOf()).toEqual([]);
    expect(product.logs.findLast(({ event }) => event === 'mail-handed-over')).not.toHaveProperty('userId');
  });

  test('is found by the exact email, with a line in the trail', async () => {
    const { id, email } = await createUser(product);
    expect((await find(product, admin, email.toUpperCase())).body).toMatchObject({ id });
    expect((await find(product, admin, email.slice(1))).status).toBe(404);
    expect((await find(product, admin, 'no email')).body.field).toBe('email');
    expect((await stateOf(product, admin, 999_999_999)).status).toBe(404);
    const trail = `GET /auth/getAdminActs?subjectKind=user&subjectId=${id}`;
    expect((await call(product, trail, { token: admin.token })).body).toMatchObject([{ act: 'findUser' }]);
  });

  test('an admin looks up thirty mailboxes an hour, known or not', async () => {
    const busy = await createUser(product, { isAdmin: true });
    const { email } = await createUser(product);
    for (let asked = 0; asked < 15; asked += 1) {
      expect((await find(product, busy, email)).status).toBe(200);
      expect((await find(product, busy, 'nobody@example.org')).status).toBe(404);
    }
    expect((await find(product, busy, email)).status).toBe(429);
  });

  test('tells what became of mails, and an admin mails another passcode', async () => {
    const { email } = await signUp();
    const id = await idOf(email);
    await product.app.outbox.flush();
    const mail = { purpose: 'signup', state: 'handedOver', at: expect.any(String) };
    expect((await stateOf(product, admin, id)).body.mails).toEqual([mail]);
    expect((await help(product, admin, 'mailPasscode', id)).status).toBe(204);
    await product.app.outbox.flush();
    expect((await stateOf(product, admin, id)).body.mails).toEqual([mail, mail]);
    expect(await explain(email)).toMatch(/A passcode was handed over on .* UTC\./);
    const verified = await member();
    expect((await help(product, admin, 'mailPasscode', await idOf(verified.email))).status).toBe(409);
    const command = await runCommand('admin', ['passcode', verified.email], dataOf(product));
    expect(command.stderr).toMatch('verified already');
  });

  test('an admin ends sessions', async () => {
    const user = await createUser(product);
    expect((await stateOf(product, admin, user.id)).body.sessions).toBe(1);
    for (const _ of [1, 2]) expect((await help(product, admin, 'endUserSessions', user.id)).status).toBe(204);
    expect((await stateOf(product, admin, user.id)).body.sessions).toBe(0);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).status).toBe(401);
    for (const what of ['unlockUser', 'mailPasscode', 'endUserSessions']) {
      expect((await help(product, admin, what, 999_999_999)).status).toBe(404);
    }
  });

  test('is kept for thirty days, is in its owner’s download, and goes with the account', async () => {
    const user = await createUser(product);
    await logIn(user.email, 'not the password');
    const { body } = await call(product, 'GET /auth/downloadMyData', { token: user.token });
    expect(body.refusedLogins).toEqual([{ at: expect.any(String), reason: 'password' }]);
    await post('deleteMyAccount', { password: PASSWORD, reviews: 'keep' }, user.token);
    const ofUser = (await tableOf(product, 'refused_logins')).filter(({ user_id }) => user_id === user.id);
    expect(ofUser).toEqual([]);
    expect((await tableOf(product, 'account_mails')).length).toBeGreaterThan(0);
    await sweepExpired(product.app.database, Date.now() + 31 * DAY);
    expect(await tableOf(product, 'refused_logins')).toEqual([]);
    expect(await tableOf(product, 'account_mails')).toEqual([]);
  });

  test('is acted on by commands, each with a line in the trail', async () => {
    const user = await createUser(product);
    const unverified = await signUp();
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand('admin', [...args, '--json'], dataOf(product));
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    const { stdout } = await runCommand('admin', ['verify', unverified.email], dataOf(product));
    expect(stdout).toBe(`${unverified.email} is verified now.\n`);
    expect(await run('verify', unverified.email)).toEqual({ isNew: false });
    expect((await logIn(unverified.email, unverified.password)).status).toBe(200);
    await run('unlock', user.email);
    const { password } = await run('password', user.email);
    expect((await call(product, 'GET /auth/getMySessions', { token: user.token })).status).toBe(401);
    expect((await logIn(user.email, password)).status).toBe(200);
    await run('logout', user.email);
    expect((await run('explain', user.email)).sessions).toBe(0);
    const block = { isBlocked: true, reason: 'Sold reviews.' };
    const adminToken = await signIn(product, admin.id);
    await call(product, `PUT /auth/blockUser/${user.id}`, { token: adminToken, body: block });
    const exported = (await run('export', user.email)).account;
    expect(exported).toMatchObject({ email: user.email, blockedReason: block.reason });
    expect(await run('delete', user.email)).toEqual({});
    expect((await logIn(user.email, password)).status).toBe(401);
    const trail = `GET /auth/getAdminActs?subjectKind=user&subjectId=${user.id}`;
    const token = await signIn(product, admin.id);
    const acts = (await call(product, trail, { token })).body.map(({ act }: { act: string }) => act);
    const done = ['delete', 'export', 'explain', 'logout', 'password', 'unlock'].map((act) => `admin ${act}`);
    expect(acts).toEqual(done.toSpliced(2, 0, 'blockUser'));
  });
});

test('a mail that the server refuses for good has failed, and one that waits is tried again', async () => {
  const mailServer = await startMailServer();
  const product = await startForTest('sqlite', { SMTP_URL: mailServer.url });
  const { signUp } = createAccountSteps(() => product);
  const admin = await createUser(product, { isAdmin: true });
  const mailsOf = async (email: string) => {
    const { body } = await find(product, admin, email);
    return body.mails.map(({ state }: { state: string }) => state);
  };
  mailServer.behaviour.refuseWith = 550;
  const refused = await signUp();
  await product.app.outbox.flush();
  expect(await mailsOf(refused.email)).toEqual(['failed']);
  const { id } = (await find(product, admin, refused.email)).body;
  expect(product.logs.findLast(({ event }) => event === 'mail-failed')).toMatchObject({ userId: id });
  mailServer.behaviour.refuseWith = 451;
  const waiting = await signUp();
  await product.app.outbox.flush();
  expect(await mailsOf(waiting.email)).toEqual(['queued']);
  const listed = await runCommand('admin', ['outbox', '--json'], dataOf(product));
  const [mail] = JSON.parse(listed.stdout);
  // The mail is tried again after a second, and the command may take as long: there may be further attempts.
  expect(mail).toMatchObject({ purpose: 'verify', attempts: expect.any(Number) });
  expect(mail.attempts).toBeGreaterThan(0);
  const resend = async (id: number) =>
    (await runCommand('admin', ['resend', String(id), '--json'], dataOf(product))).stdout;
  // Refused while it is in flight, which it is for moments.
  await expect.poll(() => resend(mail.id), { timeout: 20_000 }).not.toBe('');
  mailServer.behaviour.refuseWith = undefined;
  product.clock.ahead += 60_000;
  await product.app.outbox.flush();
  expect(await mailsOf(waiting.email)).toEqual(['handedOver']);
  const { stderr } = await runCommand('admin', ['resend', '12345'], dataOf(product));
  expect(stderr).toMatch('No mail 12345 waits.');

  mailServer.behaviour.refuseWith = 451;
  const author = await createUser(product);
  const entry = await createEntry(product, category);
  const { body } = await postReview(product, category, entry.id, author, { username: null });
  await hide(product, admin, body.id);
  await product.app.outbox.flush();
  const [about] = JSON.parse((await runCommand('admin', ['outbox', '--json'], dataOf(product))).stdout);
  expect(about).toMatchObject({ purpose: 'review-hidden' });
  expect(about).not.toHaveProperty('userId');
  expect((await runCommand('admin', ['outbox'], dataOf(product))).stdout).not.toContain('user');
  await expect.poll(() => resend(about.id), { timeout: 20_000 }).toBe('{}\n');
  const asked = `GET /auth/getAdminActs?subjectKind=user&subjectId=${author.id}`;
  expect((await call(product, asked, { token: admin.token })).body).toEqual([]);
  await mailServer.close();
});

test('a mail that is due later is listed with that moment, not as waiting since then', async () => {
  const product = await startForTest('sqlite');
  const { id } = await createUser(product);
  const later = Date.parse('2100-01-02T03:04:00Z');
  const row = { purpose: 'more-decisions', user_id: id, created_at: later, due_at: later };
  await product.app.database.write((db) => db.insertInto('outbox').values(row).execute());
  const { stdout } = await runCommand('admin', ['outbox'], dataOf(product));
  expect(stdout).toMatch(/^\d+ {2}more-decisions, not before Jan 2, 03:04 UTC\n$/);
});
