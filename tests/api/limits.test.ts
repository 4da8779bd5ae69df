import { beforeEach, expect, test } from 'vitest';
import { type Answer, type CallOptions, call } from '../support/call.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  PASSWORD,
  postReview,
  readMailsTo,
  readPasscode,
  signIn,
  type TestUser,
  unique,
} from '../support/rows.ts';
import { describeProduct, startForTest } from '../support/site.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A refusal that says when to come back, not later than the window ends. */
function expectTooMany(answer: Answer, windowMs: number): void {
  expect(answer).toMatchObject({ status: 429, body: { error: expect.stringMatching(/^[A-Z].{10,}\.$/) } });
  const seconds = Number(answer.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(windowMs / 1000);
}

describeProduct('limits on %s', { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' }, (product, engine) => {
  /** The network address that the calls of a test come from, as the proxy says. */
  let here: string;
  let addresses = 0;

  beforeEach(() => {
    addresses += 1;
    here = `192.0.2.${addresses}`;
  });

  const ask = (request: string, options: CallOptions = {}, address = here) =>
    call(product, request, { ...options, headers: { 'X-Forwarded-For': address } });
  const logIn = (email: string, password: string, address?: string) =>
    ask('POST /auth/login', { body: { email, password } }, address);
  const mailbox = () => `${unique('nobody')}@example.org`;
  const wrongly = async (times: number, email: () => string, address?: () => string) => {
    for (let count = 0; count < times; count += 1) {
      expect((await logIn(email(), 'wrong', address?.())).status, `try ${count}`).toBe(401);
    }
  };
  const reset = async ({ email }: TestUser, newPassword: string) => {
    await ask('POST /auth/forgotPassword', { body: { email } });
    const body = { email, forgotCode: await readPasscode(product, email), newPassword };
    expect((await ask('POST /auth/resetPassword', { body })).status).toBe(200);
  };

  test('ten wrong passwords lock an account for one address and no other, in whatever case it is spelled', async () => {
    const user = await createUser(product);
    await wrongly(10, () => user.email.toUpperCase());
    expectTooMany(await logIn(user.email, PASSWORD), 15 * MINUTE);
    expect((await logIn(user.email, PASSWORD, '198.51.100.1')).status).toBe(200);
  });

  test('a right password forgets the wrong ones', async () => {
    const user = await createUser(product);
    await wrongly(9, () => user.email);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    await wrongly(10, () => user.email);
    expectTooMany(await logIn(user.email, PASSWORD), 15 * MINUTE);
  });

  test('fifty wrong passwords for whatever accounts lock an address, a whole /64 of IPv6', async () => {
    let host = 0;
    await wrongly(50, mailbox, () => {
      host += 1;
      return `2001:db8:0:${addresses}::${host}`;
    });
    const user = await createUser(product);
    expectTooMany(await logIn(user.email, PASSWORD, `2001:db8:0:${addresses}:ffff::1`), 15 * MINUTE);
    expect((await logIn(user.email, PASSWORD, `2001:db8:1:${addresses}::1`)).status).toBe(200);
    product.clock.ahead += 15 * MINUTE + 1000;
    expect((await logIn(user.email, PASSWORD, `2001:db8:0:${addresses}::1`)).status).toBe(200);
  });

  test('a hundred wrong passwords in a row lock an account for every address until it is reset', async () => {
    const user = await createUser(product);
    let tries = 0;
    const everywhere = () => {
      tries += 1;
      return `203.0.113.${tries}`;
    };
    await wrongly(100, () => user.email, everywhere);
    product.clock.ahead += 16 * MINUTE;
    expectTooMany(await logIn(user.email, PASSWORD, everywhere()), 365 * 24 * HOUR);
    await reset(user, 'a brand new secret');
    expect((await logIn(user.email, 'a brand new secret', everywhere())).status).toBe(200);
  });

  test('a hundred wrong passwords by strangers do not lock who comes from where they have logged in', async () => {
    const user = await createUser(product);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    let tries = 0;
    const everywhere = () => {
      tries += 1;
      return `198.18.0.${tries}`;
    };
    await wrongly(100, () => user.email, everywhere);
    expectTooMany(await logIn(user.email, PASSWORD, '198.18.1.1'), 365 * 24 * HOUR);
    expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    await wrongly(10, () => user.email);
    expectTooMany(await logIn(user.email, PASSWORD), 15 * MINUTE);
  });

  test('wrong current passwords count as wrong passwords', async () => {
    const { token, email } = await createUser(product);
    const body = { currentPassword: 'wrong', newPassword: 'a brand new secret' };
    for (let count = 0; count < 10; count += 1) {
      expect((await ask('POST /auth/changePassword', { token, body })).status).toBe(401);
    }
    expectTooMany(await ask('POST /auth/changePassword', { token, body }), 15 * MINUTE);
    expectTooMany(await logIn(email, PASSWORD), 15 * MINUTE);
  });

  test('twenty wrong passcodes for whatever accounts stop an address for an hour', async () => {
    const verify = (address?: string) =>
      ask('POST /auth/verify', { body: { email: mailbox(), verificationCode: '000000' } }, address);
    const body = () => ({ email: mailbox(), forgotCode: '000000', newPassword: 'a brand new secret' });
    for (let count = 0; count < 20; count += 1) expect((await verify()).status).toBe(400);
    expectTooMany(await verify(), HOUR);
    expectTooMany(await ask('POST /auth/resetPassword', { body: body() }), HOUR);
    expect((await verify('198.51.100.2')).status).toBe(400);
    product.clock.ahead += HOUR + 1000;
    expect((await verify()).status).toBe(400);
  });

  test('an address signs up thirty times an hour', async () => {
    const signUp = (address?: string) => {
      const username = unique('new');
      const body = { username, email: `${username}@example.org`, password: 'correct horse battery staple' };
      return ask('POST /auth/signup', { body }, address);
    };
    for (let count = 0; count < 30; count += 1) expect((await signUp()).status).toBe(201);
    expectTooMany(await signUp(), HOUR);
    expect((await signUp('198.51.100.3')).status).toBe(201);
    product.clock.ahead += HOUR + 1000;
    expect((await signUp()).status).toBe(201);
  });

  test('an address asks for thirty mails an hour, to mailboxes known or not', async () => {
    const calls = ['forgotPassword', 'resend', 'resendForgot'];
    for (let count = 0; count < 30; count += 1) {
      const name = calls[count % calls.length];
      const email = mailbox();
      const request = name === 'forgotPassword' ? `POST /auth/${name}` : `POST /auth/${name}?email=${email}`;
      expect((await ask(request, name === 'forgotPassword' ? { body: { email } } : {})).status).toBe(200);
    }
    expectTooMany(await ask('POST /auth/forgotPassword', { body: { email: mailbox() } }), HOUR);
    expect((await ask('POST /auth/forgotPassword', { body: { email: mailbox() } }, '198.51.100.4')).status).toBe(200);
  });

  test('many networks of one IPv6 block ask for no more mails than four, and the block of those no more than sixteen', async () => {
    const askFrom = async (network: number) =>
      (await ask(`POST /auth/resend?email=${mailbox()}`, {}, `2001:db8:${addresses}:${network.toString(16)}::1`))
        .status;
    const askAll = async (count: number, network: (index: number) => number) => {
      for (let index = 0; index < count; index += 1) expect(await askFrom(network(index)), `${index}`).toBe(200);
    };
    await askAll(120, (index) => index % 100);
    expect(await askFrom(0xff)).toBe(429);
    await askAll(360 - 1, (index) => 0x100 * (1 + (index % 100)));
    expect([await askFrom(0x7f00), await askFrom(0x7f00)]).toEqual([200, 429]);
  });

  test('what an untrusted sender says of its address counts for nothing', async () => {
    const alone = await startForTest(engine, { RATE_LIMIT: 'on' });
    const user = await createUser(alone);
    for (let count = 0; count < 11; count += 1) {
      const headers = { 'X-Forwarded-For': `203.0.113.${count}`, Forwarded: `for=203.0.113.${count}` };
      const body = { email: user.email, password: 'wrong' };
      const answer = await call(alone, 'POST /auth/login', { headers, body });
      expect(answer.status).toBe(count < 10 ? 401 : 429);
    }
  });

  test('of the addresses a proxy names only the last counts', async () => {
    const user = await createUser(product);
    await wrongly(
      10,
      () => user.email,
      () => `${unique('10.9.8')}, ${here}`,
    );
    expectTooMany(await logIn(user.email, PASSWORD, `203.0.113.99, ${here}`), 15 * MINUTE);
  });

  test.each([
    ['IPv4', '203.0.113.77', '203.0.113.77'],
    ['IPv6', '[2001:db8:9::7]', '2001:db8:9::8'],
  ])('a proxy that names ports with addresses makes no new address of each, in %s', async (_name, written, plain) => {
    const user = await createUser(product);
    await wrongly(
      10,
      () => user.email,
      () => `${written}:${unique('port').split('-').at(-1)}`,
    );
    expectTooMany(await logIn(user.email, PASSWORD, plain), 15 * MINUTE);
  });

  test.each([
    ['IPv6', ['2001:db8:a::7', '2001:DB8:A::7', '2001:0db8:000a:0:0::7'], '2001:db8:a::8'],
    ['IPv4 within IPv6', ['::ffff:203.0.113.78', '::ffff:cb00:714e', '0:0:0:0:0:FFFF:203.0.113.78'], '203.0.113.78'],
  ])(
    'a proxy that spells an address in several ways makes no new one of each, in %s',
    async (_name, written, plain) => {
      const user = await createUser(product);
      let tries = 0;
      await wrongly(
        10,
        () => user.email,
        () => written[tries++ % written.length] ?? plain,
      );
      expectTooMany(await logIn(user.email, PASSWORD, plain), 15 * MINUTE);
    },
  );

  test('a user asks for ten recommendations an hour', async () => {
    const user = await createUser(product);
    await createSchool(product);
    await ask('POST /auth/postProfile', { token: user.token, body: { location: 'Norway' } });
    const recommend = (token: string) => ask('POST /auth/recommendSchool', { token, body: {} });
    for (let count = 0; count < 10; count += 1) expect((await recommend(user.token)).status).toBe(200);
    expectTooMany(await recommend(user.token), HOUR);
    product.clock.ahead += HOUR + 1000;
    expect((await recommend(await signIn(product, user.id))).status).toBe(200);
  });

  test('an admin deletes sixty things a minute, of whatever sort', async () => {
    const admin = await createUser(product, { isAdmin: true });
    const remove = (path: string) => ask(`DELETE /auth/${path}`, { token: admin.token });
    // Deleting something that does not exist is not counted.
    expect((await remove('deleteSchool/999999999')).status).toBe(404);
    for (let count = 0; count < 15; count += 1) {
      const leaving = await createUser(product);
      const entry = await createEntry(product, category);
      const review = await postReview(product, category, entry.id, leaving);
      const paths = [
        `${category.calls.removeReview}/${review.body.id}`,
        `${category.calls.remove}/${entry.id}`,
        `deleteSchool/${entry.schoolId}`,
        `deleteUser/${leaving.id}`,
      ];
      for (const path of paths) expect((await remove(path)).status, path).toBe(204);
    }
    const entry = await createEntry(product, category);
    for (const path of [`${category.calls.remove}/${entry.id}`, `deleteSchool/${entry.schoolId}`]) {
      expectTooMany(await remove(path), MINUTE);
    }
    product.clock.ahead += MINUTE + 1000;
    expect((await remove(`deleteSchool/${entry.schoolId}`)).status).toBe(204);
  });

  test('RATE_LIMIT=off lifts what is counted by address and user, and keeps what is counted by account and mailbox', async () => {
    const free = await startForTest(engine, { RATE_LIMIT: 'off' });
    for (let count = 0; count < 31; count += 1) {
      const request = `POST /auth/resend?email=${mailbox()}`;
      expect((await call(free, request)).status).toBe(200);
    }
    const user = await createUser(free);
    for (let count = 0; count < 11; count += 1) {
      const answer = await call(free, 'POST /auth/login', { body: { email: user.email, password: 'wrong' } });
      expect(answer.status).toBe(count < 10 ? 401 : 429);
      await call(free, 'POST /auth/forgotPassword', { body: { email: user.email } });
      await free.app.outbox.flush();
    }
    expect(await readMailsTo(free, user.email)).toHaveLength(4);
    for (let count = 0; count < 5; count += 1) {
      const body = { username: unique('new'), email: user.email.replace('@', `+${count}@`), password: PASSWORD };
      expect((await call(free, 'POST /auth/signup', { body })).status).toBe(count < 4 ? 201 : 429);
    }
  });
});
