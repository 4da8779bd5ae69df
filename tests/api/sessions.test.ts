import { expect, test } from 'vitest';
import { createAccountSteps } from '../support/account-steps.ts';
import { call } from '../support/call.ts';
import { createUser, PASSWORD, readPasscode, signIn } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeProduct('passwords and sessions on %s', (product) => {
  const { newcomer, post, logIn, isSessionValid, mailsTo } = createAccountSteps(() => product);

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

  test('a user has twenty sessions at once, and the oldest ends when there are more', async () => {
    const user = await createUser(product);
    const tokens = [user.token];
    for (let count = 2; count <= 20; count += 1) {
      product.clock.ahead += 1000;
      tokens.push(await signIn(product, user.id));
    }
    const other = await createUser(product);
    for (const token of tokens) expect(await isSessionValid(token)).toBe(true);
    product.clock.ahead += 1000;
    const { body } = await logIn(user.email, PASSWORD);
    expect(await Promise.all(tokens.map(isSessionValid))).toEqual([false, ...Array(19).fill(true)]);
    expect([await isSessionValid(body.token), await isSessionValid(other.token)]).toEqual([true, true]);
  });

  test('of forty logins at once twenty sessions are left', async () => {
    const user = await createUser(product);
    const answers = await Promise.all(Array.from({ length: 40 }, () => logIn(user.email, PASSWORD)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const valid: boolean[] = [];
    // One after another: requests at the same time may be shed, which says nothing of a session.
    for (const { body } of answers) valid.push(await isSessionValid(body.token));
    expect(valid.filter(Boolean)).toHaveLength(20);
  });

  test('logging out ends this token, logging out everywhere ends all', async () => {
    const user = await createUser(product);
    const [second, third] = [await signIn(product, user.id), await signIn(product, user.id)];
    expect((await post('logout', undefined, second)).status).toBe(204);
    expect([await isSessionValid(user.token), await isSessionValid(second), await isSessionValid(third)]).toEqual([
      true,
      false,
      true,
    ]);
    expect((await post('logoutAll', undefined, third)).status).toBe(204);
    expect([await isSessionValid(user.token), await isSessionValid(third)]).toEqual([false, false]);
  });

  test('a reset ends every session, one opened in the same second included, and mails word of it', async () => {
    const user = await createUser(product);
    await post('forgotPassword', { email: user.email });
    const forgotCode = await readPasscode(product, user.email);
    const fresh = await signIn(product, user.id);
    await post('resetPassword', { email: user.email, forgotCode, newPassword: 'a brand new secret' });
    expect([await isSessionValid(user.token), await isSessionValid(fresh)]).toEqual([false, false]);
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
    expect([await isSessionValid(user.token), await isSessionValid(second)]).toEqual([true, false]);
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
      expect(await isSessionValid(unused.token)).toBe(true);
      product.clock.ahead += idle + MINUTE;
      expect(await isSessionValid(unused.token)).toBe(false);
      const used = await createUser(product, { isAdmin });
      for (let passed = 0; passed < absolute - MINUTE; passed += idle / 2) {
        expect(await isSessionValid(used.token)).toBe(true);
        product.clock.ahead += idle / 2;
      }
      product.clock.ahead += 2 * MINUTE;
      expect(await isSessionValid(used.token)).toBe(false);
    }
  });

  test('a clock that is set back ends what it would prolong, and one set forward ends things sooner', async () => {
    const before = await createUser(product);
    product.clock.ahead -= HOUR;
    expect(await isSessionValid(before.token)).toBe(false);
    const after = await createUser(product);
    expect(await isSessionValid(after.token)).toBe(true);
    product.clock.ahead += HOUR;
    expect(await isSessionValid(after.token)).toBe(true);
    product.clock.ahead += 4 * HOUR;
    expect(await isSessionValid(after.token)).toBe(false);
  });

  test('the token of a deleted user never becomes valid for somebody else', async () => {
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
      `${encode({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'None', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`,
      `${encode({ alg: 'HS256', kid: '../../dev/null' })}.${payload}.${signature}`,
      `${encode({ alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } })}.${payload}.${signature}`,
      `${header}.${encode({ ...claims, exp: claims.exp + 86_400 })}.${signature}`,
      `${header}.${encode({ ...claims, jti: 'another' })}.${signature}`,
      `${header}.${encode({ ...claims, iss: 'somebody' })}.${signature}`,
      `${header}.${encode({ ...claims, aud: 'somebody' })}.${signature}`,
      `${header}.${signature}.${payload}`,
      `${payload}.${header}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
      `${header}.${payload}.${signature.split('').reverse().join('')}`,
      `${header}..${signature}`,
      `${token.toLowerCase()}`,
    ];
    for (const forged of forgeries) expect(await isSessionValid(forged), forged.slice(0, 60)).toBe(false);
  });
});
