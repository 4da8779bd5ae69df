import { describe, expect, test } from 'vitest';
import { insertUser } from '../../src/server/accounts/queries.ts';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { type Answer, call } from '../support/call.ts';
import { startMailServer } from '../support/mail-server.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createUser, PASSWORD, readMailsTo, readPasscode, type TestUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const HOUR = 60 * 60_000;

const mailbox = () => `${unique('box')}@example.org`;
/** Another address of the same mailbox. */
const tagged = (email: string, tag: string | number) => email.replace('@', `+${tag}@`);

function expectTooMany(answer: Answer): void {
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(HOUR / 1000);
}

function stepsOf(product: () => Product) {
  let addresses = 0;
  /** Each request from a network of its own, as somebody with many of them would. */
  const post = (path: string, body?: object, token?: string) => {
    addresses += 1;
    const headers = { 'X-Forwarded-For': `10.0.${addresses % 250}.1` };
    return call(product(), `POST /auth/${path}`, { body, headers, ...(token !== undefined && { token }) });
  };
  return {
    post,
    signUp: (email: string) => post('signup', { username: unique('new'), email, password: PASSWORD }),
    forget: (email: string) => post('forgotPassword', { email }),
    mailsTo: (email: string) => readMailsTo(product(), email),
    counted: async (key: string) => {
      const row = await product()
        .app.database.read.selectFrom('throttles')
        .select('count')
        .where('key', '=', key)
        .where('ends_at', '>', Date.now() + product().clock.ahead)
        .executeTakeFirst();
      return row?.count ?? 0;
    },
  };
}

describeProduct('the quotas of mails on %s', { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' }, (product) => {
  const { post, signUp, forget, mailsTo, counted } = stepsOf(() => product);

  const changePassword = ({ token }: TestUser, currentPassword: string, newPassword: string) =>
    post('changePassword', { currentPassword, newPassword }, token);
  const askManyTimes = async (email: string, calls: readonly string[]) => {
    const answers = new Set<string>();
    for (let count = 0; count < 6; count += 1) {
      for (const name of calls) {
        const { status, text } = await post(`${name}?email=${encodeURIComponent(email)}`);
        answers.add(`${status} ${text}`);
        await product.app.outbox.flush();
      }
    }
    return [...answers];
  };

  test('asking again and again for a verified account takes no mail from its owner', async () => {
    const user = await createUser(product);
    const known = await askManyTimes(user.email, ['resend']);
    expect(known).toEqual(await askManyTimes(mailbox(), ['resend']));
    expect(known).toEqual([expect.stringMatching(/^200 /)]);
    expect(await mailsTo(user.email)).toEqual([]);
    await forget(user.email);
    expect(await mailsTo(user.email)).toHaveLength(1);
    expect((await changePassword(user, PASSWORD, 'a brand new secret')).status).toBe(200);
    expect((await mailsTo(user.email)).at(-1)).toContain('your password was changed');
  });

  test('asking again and again for a mailbox that nobody knows takes no mail from who signs up with it', async () => {
    const email = mailbox();
    await askManyTimes(email, ['resend', 'resendForgot']);
    expect((await signUp(email)).status).toBe(201);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('the fifth mail of an hour is reserved for the notice that the password was changed, and what is withheld is logged', async () => {
    const user = await createUser(product);
    for (let count = 0; count < 7; count += 1) {
      expect((await forget(user.email)).status).toBe(200);
      await product.app.outbox.flush();
    }
    expect(await mailsTo(user.email)).toHaveLength(4);
    const withheld = product.logs.filter(({ event, userId }) => event === 'mail-withheld' && userId === user.id);
    expect(withheld).toHaveLength(3);
    expect(withheld[0]).toMatchObject({ purpose: 'reset' });
    const forgotCode = await readPasscode(product, user.email);
    const reset = { email: user.email, forgotCode, newPassword: 'a brand new secret' };
    expect((await post('resetPassword', reset)).status, 'a code withheld voids none before').toBe(200);
    const mails = await mailsTo(user.email);
    expect(mails).toHaveLength(5);
    expect(mails.at(-1)).toContain('your password was changed');
    product.clock.ahead += HOUR + 1000;
    await forget(user.email);
    expect(await mailsTo(user.email)).toHaveLength(6);
  });

  test('asking to use a mailbox is noted and counted alike, whether or not it has an account, and takes none from its owner', async () => {
    const [owner, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
    const statesFor = async (email: string) => {
      const { id, token } = await createUser(product);
      for (let count = 0; count < 6; count += 1) {
        const body = { password: PASSWORD, email };
        expect((await call(product, 'PUT /auth/updateMyAccount', { token, body })).status).toBe(200);
        await product.app.outbox.flush();
      }
      const own = await call(product, 'GET /auth/downloadMyData', { token });
      const forAdmins = await call(product, `GET /auth/getUserState/${id}`, { token: admin.token });
      expect(forAdmins.body.mails).toEqual(own.body.mails);
      return own.body.mails
        .map(({ purpose, state }: { purpose: string; state: string }) => `${purpose} ${state}`)
        .sort();
    };
    const states = await statesFor(owner.email);
    expect(states).toEqual([...Array(2).fill('email failed'), ...Array(10).fill('email handedOver')]);
    expect(await statesFor(mailbox())).toEqual(states);
    expect(await mailsTo(owner.email)).toEqual([]);
    for (let count = 0; count < 4; count += 1) {
      await forget(owner.email);
      expect(await mailsTo(owner.email)).toHaveLength(count + 1);
    }
    expect((await changePassword(owner, PASSWORD, 'a brand new secret')).status).toBe(200);
    expect((await mailsTo(owner.email)).at(-1)).toContain('your password was changed');
  });

  test('sign-ups with tags of a mailbox are counted together and leave its owner resets and word', async () => {
    const user = await createUser(product);
    for (let count = 0; count < 4; count += 1) {
      const email = tagged(count % 2 === 0 ? user.email : user.email.toUpperCase(), count);
      expect((await signUp(email)).status).toBe(201);
      expect(await mailsTo(email)).toHaveLength(1);
    }
    const refused = await signUp(tagged(user.email, 'one-more'));
    expectTooMany(refused);
    expect(refused.body.error).toBe(LIMITS.signupsOfMailbox.sentence);
    await forget(user.email);
    expect(await mailsTo(user.email)).toHaveLength(1);
    expect((await changePassword(user, PASSWORD, 'a brand new secret')).status).toBe(200);
    expect(await mailsTo(user.email)).toHaveLength(2);
    product.clock.ahead += HOUR + 1000;
    expect((await signUp(tagged(user.email, 'one-more'))).status).toBe(201);
  });

  test('however often somebody signs up with one mailbox, four of everybody’s mails are all it takes', async () => {
    await product.app.outbox.flush();
    const before = await counted(LIMITS.signupMailsInAll.name);
    const email = mailbox();
    const statuses: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      statuses.push((await signUp(email)).status);
      await product.app.outbox.flush();
    }
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429, 429, 429, 429]);
    expect((await counted(LIMITS.signupMailsInAll.name)) - before).toBe(4);
  });

  test('of ten resets of one mailbox asked for at once four are handed over', async () => {
    const email = mailbox();
    const addresses = Array.from({ length: 10 }, (_, tag) => tagged(email, tag));
    await product.app.database.write(async (db) => {
      for (const address of addresses) {
        const user = { username: unique('tagged'), email: address, passwordHash: 'none', verifiedAt: 1 };
        await insertUser(db, user, 1);
      }
    });
    const before = await counted(LIMITS.resetMailsInAll.name);
    const answers = await Promise.all(addresses.map(forget));
    expect(answers.map(({ status }) => status)).toEqual(addresses.map(() => 200));
    await product.app.outbox.flush();
    const mails = (await Promise.all(addresses.map(mailsTo))).flat();
    expect(mails).toHaveLength(4);
    expect((await counted(LIMITS.resetMailsInAll.name)) - before).toBe(4);
  });

  test('a mail in flight when its process ended is sent, whatever has been counted since', async () => {
    const user = await createUser(product);
    for (let count = 0; count < 4; count += 1) {
      await forget(user.email);
      await product.app.outbox.flush();
    }
    const time = Date.now() + product.clock.ahead;
    const row = { purpose: 'reset', user_id: user.id, created_at: time, due_at: time, counted_at: time };
    await product.app.database.write((db) => db.insertInto('outbox').values(row).execute());
    expect(await mailsTo(user.email)).toHaveLength(5);
  });
});

describe.each(ENGINES)('mails that are not handed over, on %s', (engine) => {
  test('count for nothing: refused for now or for good, or replaced while they waited', async () => {
    const mailServer = await startMailServer();
    const product = await startProduct(engine, { RATE_LIMIT: 'on', SMTP_URL: mailServer.url });
    const { forget, counted } = stepsOf(() => product);
    const user = await createUser(product);
    for (const status of [550, 451]) {
      mailServer.behaviour.refuseWith = status;
      for (let count = 0; count < 5; count += 1) {
        await forget(user.email);
        await product.app.outbox.flush();
      }
    }
    expect(product.logs.some(({ event }) => event === 'mail-failed')).toBe(true);
    expect(await counted(LIMITS.resetMailsInAll.name)).toBe(0);
    mailServer.behaviour.refuseWith = undefined;
    for (let count = 0; count < 6; count += 1) {
      await forget(user.email);
      await product.app.outbox.flush();
    }
    expect(mailServer.received).toHaveLength(4);
    await product.stop();
    await mailServer.close();
  });
});

describe.each(ENGINES)('the quotas of everybody’s mails on %s', (engine) => {
  const start = async (limit: { name: string; max: number }, left: number) => {
    const product = await startProduct(engine, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
    const row = { key: limit.name, count: limit.max - left, ends_at: Date.now() + HOUR };
    await product.app.database.write((db) => db.insertInto('throttles').values(row).execute());
    return product;
  };

  test('a thousand mails of sign-ups an hour are all, and resets go on', async () => {
    const product = await start(LIMITS.signupMailsInAll, 1);
    const { post, signUp, forget, mailsTo } = stepsOf(() => product);
    const user = await createUser(product);
    for (let asked = 0; asked < 3; asked += 1) {
      expect((await post(`resend?email=${mailbox()}`)).status, 'nobody gets a mail, nobody goes without').toBe(200);
    }
    // The second sign-up is refused even while the mail of the first still waits.
    const [one, other] = [await signUp(mailbox()), await signUp(mailbox())];
    expect(one.status).toBe(201);
    expectTooMany(other);
    await product.app.outbox.flush();
    expectTooMany(await signUp(mailbox()));
    expectTooMany(await post(`resend?email=${mailbox()}`));
    await forget(user.email);
    expect(await mailsTo(user.email)).toHaveLength(1);
    const users = await product.app.database.read.selectFrom('users').select('id').execute();
    expect(users, 'who is refused leaves no account behind').toHaveLength(2);
    product.clock.ahead += HOUR + 1000;
    expect((await signUp(mailbox())).status).toBe(201);
    await product.stop();
  });

  test('a thousand mails of resets an hour are all, and sign-ups and notices of changed passwords go on', async () => {
    const product = await start(LIMITS.resetMailsInAll, 1);
    const { post, signUp, forget, mailsTo } = stepsOf(() => product);
    const user = await createUser(product);
    expect((await forget(user.email)).status).toBe(200);
    await product.app.outbox.flush();
    for (const email of [user.email, mailbox()]) expectTooMany(await forget(email));
    const email = mailbox();
    expect((await signUp(email)).status).toBe(201);
    expect(await mailsTo(email)).toHaveLength(1);
    const change = { currentPassword: PASSWORD, newPassword: 'a brand new secret' };
    expect((await post('changePassword', change, user.token)).status).toBe(200);
    expect((await mailsTo(user.email)).at(-1)).toContain('your password was changed');
    await product.stop();
  });

  test('a mail queued beyond the quota waits for the next hour', async () => {
    const product = await start(LIMITS.resetMailsInAll, 0);
    const { mailsTo } = stepsOf(() => product);
    const user = await createUser(product);
    await product.app.database.write((db, commit) =>
      product.app.outbox.queue(db, commit, { purpose: 'reset', userId: user.id }),
    );
    expect(await mailsTo(user.email)).toEqual([]);
    product.clock.ahead += HOUR + 1000;
    expect(await mailsTo(user.email)).toHaveLength(1);
    await product.stop();
  });
});
