import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createUser, PASSWORD, readMailsTo, readPasscode, signIn, unique } from '../support/rows.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(ENGINES)('accounts on %s', (engine) => {
  let product: Product;

  beforeAll(async () => {
    product = await startProduct(engine);
  });
  afterAll(() => product.stop());

  const newcomer = () => {
    const username = unique('new');
    return { username, email: `${username}@Example.org`, password: 'correct horse battery staple' };
  };
  const post = (path: string, body?: object, token?: string) => call(product, `POST /auth/${path}`, { body, token });
  const signUp = async (user = newcomer()) => {
    expect((await post('signup', user)).status).toBe(201);
    return user;
  };
  const verify = (email: string, verificationCode: string) => post('verify', { email, verificationCode });
  const logIn = (email: string, password: string) => post('login', { email, password });
  const member = async () => {
    const user = await signUp();
    expect((await verify(user.email, await readPasscode(product, user.email))).status).toBe(200);
    return user;
  };
  const isAlive = async (token: string) =>
    (await call(product, 'GET /auth/getMyJobsReview/1', { token })).status !== 401;
  /** Changes a code into one that is certainly wrong. */
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const mailsTo = (email: string) => readMailsTo(product, email);

  test('signing up, verifying and logging in gives a token in the shape of the specification', async () => {
    const user = await signUp();
    const code = await readPasscode(product, user.email);
    expect((await logIn(user.email, user.password)).status).toBe(403);
    expect((await verify(user.email.toLowerCase(), code)).status).toBe(200);
    const { status, body, headers } = await logIn(user.email, user.password);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['token']);
    expect(headers.get('cache-control')).toBe('no-store');
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: user.username, isAdmin: false, userId: expect.any(Number) });
    expect(await isAlive(body.token)).toBe(true);
  });

  test('a taken email or username is refused, in any case', async () => {
    const user = await member();
    const email = user.email.toUpperCase();
    expect((await post('signup', { ...newcomer(), email })).status).toBe(409);
    expect((await post('signup', { ...newcomer(), username: user.username.toUpperCase() })).status).toBe(409);
    expect((await post('signup', { ...newcomer(), username: 'Anonymous' })).status).toBe(409);
  });

  test('signing up again before verification starts over', async () => {
    const squatter = await signUp();
    const stolen = await readPasscode(product, squatter.email);
    const owner = await signUp({ ...newcomer(), email: squatter.email });
    const code = await readPasscode(product, owner.email);
    if (stolen !== code) expect((await verify(owner.email, stolen)).status).toBe(400);
    expect((await verify(owner.email, code)).status).toBe(200);
    expect((await logIn(owner.email, squatter.password)).status).toBe(200);
    expect((await logIn(owner.email, 'the squatters password')).status).toBe(401);
  });

  test.each([
    ['seven characters', '1234&78', 400],
    ['eight characters', '1a34&7ü9', 201],
    ['eight emoji', '🎷🥁🎺🪗🎻🪕🎸🎹', 201],
    ['256 characters', 'é'.repeat(256), 201],
    ['257 characters', 'é'.repeat(257), 400],
    ['spaces at its ends', '  spaces matter  ', 201],
    ['NUL', 'zero\0zero zero', 400],
    ['a common one', 'password123', 400],
    ['a common one in capitals', 'PASSWORD123', 400],
    ["the site's name", 'schoolreviews', 400],
  ])('a password of %s is judged', async (_what, password, status) => {
    const user = { ...newcomer(), password };
    const { status: answered, body } = await post('signup', user);
    expect(answered).toBe(status);
    if (status !== 201) return;
    expect(body).not.toHaveProperty('password');
    await verify(user.email, await readPasscode(product, user.email));
    expect((await logIn(user.email, password)).status).toBe(200);
    expect((await logIn(user.email, `${password} `)).status).toBe(401);
    expect(
      (await logIn(user.email, password.trim() === password ? [...password].slice(0, -1).join('') : password.trim()))
        .status,
    ).toBe(401);
  });

  test.each([
    'x1<victim@b.co>',
    '"a b"@b.co',
    'a(comment)@b.co',
    'a@b.co,c@d.co',
    'a@b.co\r\nBcc: c@d.co',
    'group:a@b.co;',
    ' a@b.co x',
    'a@b',
    'a@@b.co',
    '@b.co',
    'a@.co',
    'a@b.co.',
    'ı@b.co',
    'a@bücher.de',
    `${'a'.repeat(250)}@b.co`,
  ])('the mailbox %j is refused with the sentence of the form', async (email) => {
    const answers = [await post('signup', { ...newcomer(), email }), await post('forgotPassword', { email })];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { error: 'Please enter a valid email address.' } });
    }
  });

  test('the mail goes to the stored mailbox, as text, with the code on a line of its own', async () => {
    const user = await signUp();
    const [mail] = await mailsTo(user.email);
    expect(mail).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail).toMatch(/^\d{6}$/m);
  });

  describe('passcodes', () => {
    test('five wrong tries void a code, also a hundred at once', async () => {
      const user = await signUp();
      const code = await readPasscode(product, user.email);
      const tries = await Promise.all(Array.from({ length: 19 }, () => verify(user.email, wrong(code))));
      expect(new Set(tries.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(tries[0]?.status).toBe(400);
      const [row] = await product.app.database.read
        .selectFrom('passcodes')
        .innerJoin('users', 'users.id', 'passcodes.user_id')
        .select('tries')
        .where('users.username', '=', user.username)
        .execute();
      expect(row?.tries).toBe(5);
      expect((await verify(user.email, code)).status).toBe(400);
    });

    test('twenty wrong codes a day are all there are, however many are sent', async () => {
      const user = await signUp();
      for (let round = 0; round < 4; round += 1) {
        const code = await readPasscode(product, user.email);
        for (let tries = 0; tries < 5; tries += 1) expect((await verify(user.email, wrong(code))).status).toBe(400);
        await post(`resend?email=${encodeURIComponent(user.email)}`);
      }
      const newest = await readPasscode(product, user.email);
      const refused = await verify(user.email, newest);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test('of forty wrong codes at once twenty are taken, whatever they are for', async () => {
      const { email } = await member();
      const tries = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? verify(email, 'wrong')
          : post('resetPassword', { email, forgotCode: 'wrong', newPassword: 'long enough to be good' }),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 400)).toHaveLength(20);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    });

    test('a code is good once, for ten minutes, for its purpose, and only the newest', async () => {
      const user = await member();
      await post('forgotPassword', { email: user.email });
      const first = await readPasscode(product, user.email);
      await post(`resendForgot?email=${encodeURIComponent(user.email)}`);
      const second = await readPasscode(product, user.email);
      const reset = (forgotCode: string) =>
        post('resetPassword', { email: user.email, forgotCode, newPassword: 'a brand new secret' });
      expect((await verify(user.email, second)).status).toBe(400);
      if (first !== second) expect((await reset(first)).status).toBe(400);
      product.clock.ahead += 10 * MINUTE + 1000;
      expect((await reset(second)).status).toBe(400);
      await post('forgotPassword', { email: user.email });
      product.clock.ahead += 9 * MINUTE;
      const third = await readPasscode(product, user.email);
      expect((await reset(third)).status).toBe(200);
      expect((await reset(third)).status).toBe(400);
      expect((await logIn(user.email, 'a brand new secret')).status).toBe(200);
      expect((await logIn(user.email, user.password)).status).toBe(401);
    });

    test('no more than five mails an hour go to an account, the sign-up mail included', async () => {
      const user = await signUp();
      // A mail still waiting when the next is asked for is not sent any more.
      await product.app.outbox.flush();
      const spellings = [user.email, user.email.toUpperCase(), user.email.toLowerCase()];
      for (let count = 0; count < 20; count += 1) {
        const email = encodeURIComponent(spellings[count % spellings.length] ?? '');
        expect((await post(`resend?email=${email}`)).status).toBe(200);
        await product.app.outbox.flush();
      }
      expect(await mailsTo(user.email)).toHaveLength(5);
      product.clock.ahead += HOUR + 1000;
      await post(`resend?email=${encodeURIComponent(user.email)}`);
      expect(await mailsTo(user.email)).toHaveLength(6);
    });

    test('word of a changed password is one of them', async () => {
      const user = await createUser(product);
      let currentPassword = PASSWORD;
      for (let change = 0; change < 7; change += 1) {
        const newPassword = `a new password, number ${change}`;
        expect((await post('changePassword', { currentPassword, newPassword }, user.token)).status).toBe(200);
        currentPassword = newPassword;
      }
      expect(await mailsTo(user.email)).toHaveLength(5);
    });

    test('the answer does not tell whether an account exists', async () => {
      const known = await member();
      const unknown = newcomer();
      const both = async (send: (email: string) => ReturnType<typeof post>) => {
        const [one, other] = [await send(known.email), await send(unknown.email)];
        expect([one.status, one.text]).toEqual([other.status, other.text]);
      };
      await both((email) => post('forgotPassword', { email }));
      await both((email) => post(`resend?email=${encodeURIComponent(email)}`));
      await both((email) => post(`resendForgot?email=${encodeURIComponent(email)}`));
      await both((email) => logIn(email, 'not the password'));
      await both((email) => verify(email, '000000'));
      await both((email) => post('resetPassword', { email, forgotCode: '000000', newPassword: 'a brand new secret' }));
    });
  });

  describe('wrong passwords', () => {
    test('ten in a quarter of an hour lock the account for that address, until the window ends', async () => {
      const user = await createUser(product);
      for (let count = 0; count < 10; count += 1) expect((await logIn(user.email, 'wrong')).status).toBe(401);
      const refused = await logIn(user.email, PASSWORD);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      product.clock.ahead += 15 * MINUTE + 1000;
      expect((await logIn(user.email, PASSWORD)).status).toBe(200);
    });

    test('they are counted for mailboxes without an account too', async () => {
      const { email } = newcomer();
      for (let count = 0; count < 10; count += 1) expect((await logIn(email, 'wrong')).status).toBe(401);
      expect((await logIn(email, 'wrong')).status).toBe(429);
    });

    test('a password reset lifts the lock', async () => {
      const user = await createUser(product);
      for (let count = 0; count < 11; count += 1) await logIn(user.email, 'wrong');
      expect((await logIn(user.email, PASSWORD)).status).toBe(429);
      await post('forgotPassword', { email: user.email });
      const forgotCode = await readPasscode(product, user.email);
      await post('resetPassword', { email: user.email, forgotCode, newPassword: 'a brand new secret' });
      expect((await logIn(user.email, 'a brand new secret')).status).toBe(200);
    });

    test('thirty guesses at once are no more than the limit and what runs at once', async () => {
      const user = await createUser(product);
      const guesses = await Promise.all(Array.from({ length: 30 }, () => logIn(user.email, 'wrong')));
      expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(12);
      expect((await logIn(user.email, PASSWORD)).status).toBe(429);
    });
  });

  describe('sessions', () => {
    test('logging out ends this token, logging out everywhere ends all', async () => {
      const user = await createUser(product);
      const [second, third] = [await signIn(product, user.id), await signIn(product, user.id)];
      expect((await post('logout', undefined, second)).status).toBe(204);
      expect([await isAlive(user.token), await isAlive(second), await isAlive(third)]).toEqual([true, false, true]);
      expect((await post('logoutAll', undefined, third)).status).toBe(204);
      expect([await isAlive(user.token), await isAlive(third)]).toEqual([false, false]);
    });

    test('a reset ends every session, one opened in the same second included, and mails word of it', async () => {
      const user = await createUser(product);
      await post('forgotPassword', { email: user.email });
      const forgotCode = await readPasscode(product, user.email);
      const fresh = await signIn(product, user.id);
      await post('resetPassword', { email: user.email, forgotCode, newPassword: 'a brand new secret' });
      expect([await isAlive(user.token), await isAlive(fresh)]).toEqual([false, false]);
      expect((await mailsTo(user.email)).at(-1)).toContain('your password was changed');
    });

    test('changing the password needs the old one and ends the other sessions', async () => {
      const user = await createUser(product);
      const second = await signIn(product, user.id);
      const change = (currentPassword: string, newPassword = 'a brand new secret') =>
        post('changePassword', { currentPassword, newPassword }, user.token);
      const refused = await change('not the password');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBeNull();
      expect((await change(PASSWORD, 'password123')).status).toBe(400);
      expect((await change(PASSWORD)).status).toBe(200);
      expect([await isAlive(user.token), await isAlive(second)]).toEqual([true, false]);
      expect((await logIn(user.email, 'a brand new secret')).status).toBe(200);
    });

    test('a session ends after 24 hours and after 4 unused; an admin’s after 12 and after 1', async () => {
      const lives = [
        { isAdmin: false, idle: 4 * HOUR, absolute: 24 * HOUR },
        { isAdmin: true, idle: HOUR, absolute: 12 * HOUR },
      ];
      for (const { isAdmin, idle, absolute } of lives) {
        const unused = await createUser(product, { isAdmin });
        product.clock.ahead += idle - MINUTE;
        expect(await isAlive(unused.token)).toBe(true);
        product.clock.ahead += idle + MINUTE;
        expect(await isAlive(unused.token)).toBe(false);
        const used = await createUser(product, { isAdmin });
        for (let passed = 0; passed < absolute - MINUTE; passed += idle / 2) {
          expect(await isAlive(used.token)).toBe(true);
          product.clock.ahead += idle / 2;
        }
        product.clock.ahead += 2 * MINUTE;
        expect(await isAlive(used.token)).toBe(false);
      }
    });

    test('the token of a deleted user never comes alive as somebody else’s', async () => {
      const admin = await createUser(product, { isAdmin: true });
      const leaving = await createUser(product);
      await call(product, `DELETE /auth/deleteUser/${leaving.id}`, { token: admin.token });
      const next = await createUser(product);
      expect(next.id).not.toBe(leaving.id);
      const answer = await call(product, `GET /auth/getProfile/${next.id}`, { token: leaving.token });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('invalid_token');
    });

    test('a forged token is refused', async () => {
      const { token } = await createUser(product);
      const [header, payload, signature] = token.split('.') as [string, string, string];
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const forgeries = [
        `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
        `${encode({ alg: 'HS384', typ: 'JWT' })}.${payload}.${signature}`,
        `${header}.${encode({ ...claims, isAdmin: true })}.${signature}`,
        `${header}.${encode({ ...claims, userId: claims.userId + 1 })}.${signature}`,
        `${header}.${payload}.`,
        `${token}x`,
        `${token}.x`,
        'x',
        'a.b.c',
        ' ',
        `${header}.${payload}.${'A'.repeat(10_000)}`,
      ];
      for (const forged of forgeries) expect(await isAlive(forged), forged.slice(0, 60)).toBe(false);
    });
  });

  test('mail that could not be handed over arrives later, with a live code', async () => {
    const user = await signUp();
    await product.app.outbox.flush();
    await product.app.database.write(async (db, commit) => {
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('username', '=', user.username)
        .executeTakeFirstOrThrow();
      await product.app.outbox.queue(db, commit, { purpose: 'verify', userId: id });
    });
    product.clock.ahead += 20 * MINUTE;
    expect((await verify(user.email, await readPasscode(product, user.email))).status).toBe(200);
  });
});
