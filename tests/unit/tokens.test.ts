import { decodeJwt, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { issueToken, readToken } from '../../src/server/security/tokens.ts';

const KEY = new Uint8Array(32).fill(7);
const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 0, 1);
const CLAIMS = { userId: 1, username: 'somebody', isAdmin: false, sessionId: 'a-session' };

test('a token says when it ends, and is of no use from then on', async () => {
  const token = await issueToken(KEY, CLAIMS, NOW, NOW + HOUR);
  expect(decodeJwt(token)).toMatchObject({ iat: NOW / 1000, exp: (NOW + HOUR) / 1000 });
  expect(await readToken(KEY, token, NOW + HOUR - 1_000)).toEqual({ userId: 1, sessionId: 'a-session' });
  expect(await readToken(KEY, token, NOW + HOUR)).toBeUndefined();
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
