import { availableParallelism } from 'node:os';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../../src/server/http/limits/limits.ts';
import { call } from '../support/call.ts';
import { hashCounts as counts } from '../support/hash-counts.ts';
import { createUser, unique } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

// Hashes are counted, because their cost is the defence against guesses, and from outside only the time can be seen.
describeProduct('what a guess costs on %s', (product) => {
  beforeAll(async () => {
    await logIn('nobody@example.org');
  });
  beforeEach(() => Object.assign(counts, { hash: 0, verify: 0 }));

  const logIn = (email: string) => call(product, 'POST /auth/login', { body: { email, password: 'a wrong password' } });

  test('a wrong password is hashed once, whether or not there is such an account', async () => {
    const { email } = await createUser(product);
    counts.hash = 0;
    expect((await logIn(email)).status).toBe(401);
    expect(counts).toEqual({ hash: 0, verify: 1 });
    expect((await logIn(`${unique('nobody')}@example.org`)).status).toBe(401);
    expect(counts).toEqual({ hash: 0, verify: 2 });
  });

  test('beyond the limit nothing is hashed', async () => {
    const email = `${unique('guessed')}@example.org`;
    for (let tries = 0; tries < LIMITS.wrongPasswords.max; tries += 1) await logIn(email);
    counts.verify = 0;
    expect((await logIn(email)).status).toBe(429);
    expect(counts.verify).toBe(0);
  });

  test('of many resets at once no more are hashed than may fail, and what runs at once', async () => {
    const body = {
      email: `${unique('reset')}@example.org`,
      forgotCode: '000000',
      newPassword: 'long enough to be good',
    };
    const resets = Array.from({ length: 60 }, () => call(product, 'POST /auth/resetPassword', { body }));
    const statuses = (await Promise.all(resets)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expect(counts.hash).toBeLessThan(LIMITS.wrongPasscodes.max + availableParallelism());
  });
});
