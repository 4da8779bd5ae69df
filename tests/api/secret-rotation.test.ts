import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { createPostgresDatabase, type Product, startProduct } from '../support/product.ts';
import { createUser, PASSWORD, readPasscode } from '../support/rows.ts';

const OLD = 'the secret that somebody may have seen';
const NEW = 'the secret that nobody has seen so far';

async function logIn(product: Product, email: string, password = PASSWORD): Promise<string> {
  const { status, body } = await call(product, 'POST /auth/login', { body: { email, password } });
  expect(status).toBe(200);
  return body.token;
}

const asks = async (product: Product, token: string) =>
  (await call(product, 'POST /auth/recommendSchool', { token, body: {} })).status;

test('while the secret is being changed, tokens and codes of both are taken, and afterwards those of the new one', async () => {
  const DATABASE_URL = await createPostgresDatabase();
  const start = (secrets: Record<string, string>) => startProduct('postgres', { DATABASE_URL, ...secrets });

  const before = await start({ TOKEN_SECRET: OLD });
  const { email, token: foreign } = await createUser(before);
  const other = await createUser(before);
  const oldToken = await logIn(before, email);
  for (const address of [email, other.email]) {
    await call(before, 'POST /auth/forgotPassword', { body: { email: address } });
  }
  const oldCode = await readPasscode(before, email);
  const otherCode = await readPasscode(before, other.email);
  await before.stop();

  const during = await start({ TOKEN_SECRET: NEW, TOKEN_SECRET_PREVIOUS: OLD });
  expect(await asks(during, oldToken)).not.toBe(401);
  expect(await asks(during, foreign)).toBe(401);
  const newPassword = 'a brand new secret';
  const reset = { email, forgotCode: oldCode, newPassword };
  expect((await call(during, 'POST /auth/resetPassword', { body: reset })).status).toBe(200);
  // The reset has ended the old session.
  const newToken = await logIn(during, email, newPassword);
  const otherToken = await logIn(during, other.email);
  await during.stop();

  const after = await start({ TOKEN_SECRET: NEW });
  expect(await asks(after, newToken)).not.toBe(401);
  expect(await asks(after, otherToken)).not.toBe(401);
  expect(await asks(after, oldToken)).toBe(401);
  const late = { email: other.email, forgotCode: otherCode, newPassword };
  expect((await call(after, 'POST /auth/resetPassword', { body: late })).status).toBe(400);
  await after.stop();
});
