import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { createTokenReader, issueToken } from '../../src/server/security/tokens.ts';

const readToken = (key: Uint8Array, token: string, now: number) => createTokenReader([key])(token, now);

const KEY = new Uint8Array(32).fill(7);
const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 0, 1);
const CLAIMS = { userId: 1, username: 'somebody', isAdmin: false, sessionId: 'a-session' };

test('a token says when it ends, and is of no use from then on', async () => {
  const token = await issueToken(KEY, CLAIMS, NOW, NOW + HOUR);
  expect(decodeJwt(token)).toMatchObject({ iat: NOW / 1000, exp: (NOW + HOUR) / 1000 });
  expect(await readToken(KEY, token, NOW + HOUR - 1_000)).toMatchObject({ userId: 1, sessionId: 'a-session' });
  expect(await readToken(KEY, token, NOW + HOUR)).toBeUndefined();
});

test('a token that was read before ends all the same, and a forged twin of it is of no use', async () => {
  const read = createTokenReader([KEY]);
  const token = await issueToken(KEY, CLAIMS, NOW, NOW + HOUR);
  expect(await read(token, NOW)).toBeDefined();
  expect(await read(token, NOW + HOUR - 1_000)).toBeDefined();
  expect(await read(token, NOW + HOUR)).toBeUndefined();
  expect(await read(`${token.slice(0, -2)}AA`, NOW)).toBeUndefined();
});

test.each(['exp', 'iat', 'jti', 'sub', 'iss', 'aud', 'userId'])(
  'a token of our own key without %s is of no use',
  async (left) => {
    const token = await issueToken(KEY, CLAIMS, NOW, NOW + HOUR);
    const sign = (claims: object) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(KEY);
    const whole = decodeJwt(token);
    expect(await readToken(KEY, await sign(whole), NOW)).toBeDefined();
    const { [left]: _left, ...rest } = whole;
    expect(await readToken(KEY, await sign(rest), NOW)).toBeUndefined();
  },
);
