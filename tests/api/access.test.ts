import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { issueToken } from '../../src/server/security/tokens.ts';
import { call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, readPasscode, signIn, type TestUser } from '../support/rows.ts';

const HOUR = 60 * 60_000;
const guarded = CALLS.filter(({ access }) => access !== 'everyone');

/** Every way in which a token can be of no use any more, or never have been. */
const DEAD_TOKENS: Record<string, (product: Product, admin: TestUser) => Promise<string>> = {
  'that is garbage': async () => 'garbage',
  'that is expired': async (product) => {
    product.clock.ahead -= 25 * HOUR;
    const { token } = await createUser(product, { isAdmin: true });
    product.clock.ahead += 25 * HOUR;
    return token;
  },
  'signed with another key': async (_product, { id, username }) =>
    issueToken(
      randomBytes(32),
      { userId: id, username, isAdmin: true, sessionId: 'x' },
      Date.now(),
      Date.now() + 24 * HOUR,
    ),
  'of a deleted user': async (product, admin) => {
    const { id, token } = await createUser(product, { isAdmin: true });
    await call(product, `DELETE /auth/deleteUser/${id}`, { token: admin.token });
    return token;
  },
  'that was logged out': async (product) => {
    const { token } = await createUser(product, { isAdmin: true });
    await call(product, 'POST /auth/logout', { token });
    return token;
  },
  'from before a password reset': async (product) => {
    const { email, token } = await createUser(product, { isAdmin: true });
    await call(product, 'POST /auth/forgotPassword', { body: { email } });
    const forgotCode = await readPasscode(product, email);
    const body = { email, forgotCode, newPassword: 'a brand new secret' };
    expect((await call(product, 'POST /auth/resetPassword', { body })).status).toBe(200);
    return token;
  },
};

describe.each(ENGINES)('access on %s', (engine) => {
  let product: Product;
  let admin: TestUser;
  let user: TestUser;

  beforeAll(async () => {
    product = await startProduct(engine);
    [admin, user] = await Promise.all([createUser(product, { isAdmin: true }), createUser(product)]);
    for (const category of CATEGORIES) await createEntry(product, category);
  });
  afterAll(() => product.stop());

  const ask = ({ method, path, body }: Call, token: string | undefined) => {
    const hasBody = Object.keys((body as { properties?: object }).properties ?? {}).length > 0;
    return call(product, `${method} ${path.replace(/:\w+/, '1')}`, { token, ...(hasBody && { body: {} }) });
  };
  const rows = async () => {
    const tables = ['schools', 'entries', 'reviews', 'users', 'profiles'] as const;
    const read = tables.map((table) => product.app.database.read.selectFrom(table).selectAll().execute());
    return JSON.stringify(await Promise.all(read));
  };

  test('without a token no guarded call does anything or tells what it would accept', async () => {
    const before = await rows();
    for (const target of guarded) {
      const answer = await ask(target, undefined);
      expect(answer, target.name).toMatchObject({ status: 401, body: { error: 'Please log in first.' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    expect(await rows()).toBe(before);
  });

  test.each(Object.keys(DEAD_TOKENS))('a token %s opens no guarded call', async (what) => {
    const token = await DEAD_TOKENS[what]?.(product, admin);
    const before = await rows();
    for (const target of guarded) {
      const answer = await ask(target, token);
      expect(answer, target.name).toMatchObject({
        status: 401,
        body: { error: 'Your session has ended. Please log in again.' },
      });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await rows()).toBe(before);
  });

  test('a user is refused by every call of admins, whatever the token claims', async () => {
    const before = await rows();
    const demoted = await createUser(product, { isAdmin: true });
    const body = { isAdmin: false };
    await call(product, `PUT /auth/updateUser/${demoted.id}`, { token: admin.token, body });
    for (const target of guarded.filter(({ access }) => access === 'admin')) {
      for (const { token } of [user, demoted]) {
        expect(await ask(target, token), target.name).toMatchObject({
          status: 403,
          body: { error: 'Only an admin may do this.' },
        });
      }
    }
    await call(product, `DELETE /auth/deleteUser/${demoted.id}`, { token: admin.token });
    expect(await rows()).toBe(before);
  });

  test('the public reads take no notice of a token, live or dead', async () => {
    const reads = CALLS.filter(({ access, method }) => access === 'everyone' && method === 'GET');
    expect(reads.length).toBeGreaterThan(40);
    for (const target of reads) {
      const answers = [await ask(target, undefined), await ask(target, 'garbage'), await ask(target, admin.token)];
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, target.name).toBe(1);
    }
  });

  test.each(['bearer', 'BEARER'])('a token is taken after "%s" as well', async (scheme) => {
    const token = await signIn(product, user.id);
    const headers = { Authorization: `${scheme} ${token}` };
    expect((await call(product, `GET /auth/getProfile/${user.id}`, { headers })).status).toBe(200);
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Bearer a b', 'token'])(
    'the header "Authorization: %s" is no token',
    async (header) => {
      const headers = { Authorization: header };
      expect((await call(product, `GET /auth/getProfile/${user.id}`, { headers })).status).toBe(401);
    },
  );
});
