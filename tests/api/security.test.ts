import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { runCommand } from '../support/command.ts';
import { dataOf } from '../support/product.ts';
import { category, createEntry, createUser, PASSWORD, postReview } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

const product = productOf('sqlite', { LOG_LEVEL: 'debug' });

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('the data folder and the secret in it are nobody else’s', () => {
  expect(modeOf(product.dataDir)).toBe(0o700);
  expect(modeOf(join(product.dataDir, 'token-secret'))).toBe(0o600);
});

test('the database is nobody else’s, in whatever folder', () => {
  for (const end of ['', '-wal', '-shm']) {
    expect(modeOf(join(product.dataDir, `school-reviews.sqlite${end}`))).toBe(0o600);
  }
});

test('every log line is JSON with a time in UTC, and one line whatever a request holds', async () => {
  const nasty = 'x\r\n{"level":60,"msg":"forged"}\u001b[31m';
  await call(product, `GET /auth/getSchool/${encodeURIComponent(nasty)}`);
  await call(product, 'POST /auth/login', { body: { email: nasty, password: nasty } });
  // Each write of the logger was parsed as one JSON object when it came.
  expect(product.logs.length).toBeGreaterThan(1);
  for (const line of product.logs) expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(product.logs.filter(({ msg }) => msg === 'forged')).toEqual([]);
  expect(JSON.stringify(product.logs)).not.toContain('[31m');
});

test('what matters for security is logged by name, with who it was about, and without what is secret', async () => {
  const user = await createUser(product);
  const admin = await createUser(product, { isAdmin: true });
  const logIn = (password: string) => call(product, 'POST /auth/login', { body: { email: user.email, password } });
  await logIn('not the password');
  const { body } = await logIn(PASSWORD);
  await call(product, 'POST /auth/verify', { body: { email: user.email, verificationCode: '000000' } });
  for (let count = 0; count < 11; count += 1) await logIn('not the password');
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };
  await call(product, `POST /auth/resend?email=${user.email}`, { headers: elsewhere });
  await call(product, 'GET /auth/getUsers', { token: `${user.token.slice(0, -2)}AA` });
  await call(product, 'GET /auth/getUsers', { token: user.token });
  await call(product, `PUT /auth/updateUser/${user.id}`, { token: admin.token, body: { isAdmin: true } });
  await call(product, `PUT /auth/updateUser/${user.id}`, { token: admin.token, body: { isAdmin: false } });
  const block = { isBlocked: true, reason: 'Many adverts.' };
  await call(product, `PUT /auth/blockUser/${user.id}`, { token: admin.token, body: block });
  await call(product, `DELETE /auth/deleteUser/${user.id}`, { token: admin.token });
  const events = new Set(product.logs.map(({ event }) => event));
  for (const event of EVENTS) expect([...events], event).toContain(event);
  const all = JSON.stringify(product.logs);
  for (const secret of [PASSWORD, 'not the password', body.token, user.token, user.email])
    expect(all).not.toContain(secret);
});

test('a refusal is logged with who it was about and from where', async () => {
  const user = await createUser(product);
  const { stdout } = await runCommand('admin', ['key', '127.0.0.1', '--json'], dataOf(product));
  const address = JSON.parse(stdout);
  const account = JSON.parse((await runCommand('admin', ['key', user.email, '--json'], dataOf(product))).stdout);
  const lineOf = (event: string) => product.logs.findLast((line) => line.event === event);

  const body = { email: user.email, verificationCode: '000000' };
  for (let status = 0; status !== 429; ) status = (await call(product, 'POST /auth/verify', { body })).status;
  expect(lineOf('passcode-failed')).toMatchObject({ ...account, ...address });
  expect(lineOf('limited')).toMatchObject({ limit: 'wrong-passcodes-of-one', ...account, ...address });
  await call(product, 'GET /auth/getUsers', { token: user.token });
  expect(lineOf('forbidden')).toMatchObject({ userId: user.id, ...address });
  await call(product, 'POST /auth/logoutAll', { token: user.token });
  await call(product, 'GET /auth/getUsers', { token: user.token });
  expect(lineOf('dead-token')).toMatchObject({ userId: user.id, ...address });
});

test('a refusal is logged without its user where the path says which review they wrote', async () => {
  const [author, admin] = [await createUser(product), await createUser(product, { isAdmin: true })];
  const { id } = await createEntry(product, category);
  const { body } = await postReview(product, category, id, author, { username: null });
  const { address } = JSON.parse((await runCommand('admin', ['key', '127.0.0.1', '--json'], dataOf(product))).stdout);
  await call(product, 'POST /auth/logoutAll', { token: author.token });
  for (const path of [`DELETE /auth/${category.calls.removeReview}/${body.id}`, `POST /auth/appealReview/${body.id}`]) {
    expect((await call(product, path, { token: author.token, body: { text: 'Why?' } })).status).toBe(401);
    expect(product.logs.findLast(({ event }) => event === 'dead-token')).toMatchObject({ address });
  }
  await call(product, `PUT /auth/moderateReview/${body.id}`, { token: (await createUser(product)).token, body: {} });
  await call(product, 'GET /auth/getUsers', { token: admin.token });
  const ofAuthor = product.logs.filter(({ userId }) => userId === author.id);
  expect(ofAuthor).toEqual([]);
  expect(product.logs.findLast(({ event }) => event === 'forbidden')).toHaveProperty('userId');
});

test('failed logins can be grouped by account and by address, and name neither', async () => {
  const [one, other] = [await createUser(product), await createUser(product)];
  const from = product.logs.length;
  const logIn = (email: string) => call(product, 'POST /auth/login', { body: { email, password: 'wrong' } });
  for (const email of [one.email, one.email.toUpperCase(), other.email]) await logIn(email);
  const lines = product.logs.slice(from).filter(({ event }) => event === 'login-failed');
  const of = (field: string) => lines.map((line) => String(line[field]));
  expect(lines).toHaveLength(3);
  expect(new Set(of('account')).size).toBe(2);
  expect(of('account')[0]).toBe(of('account')[1]);
  expect(new Set(of('address')).size).toBe(1);
  for (const name of [...of('account'), ...of('address')]) expect(name).toMatch(/^[\w-]{16}$/);
  expect(JSON.stringify(lines)).not.toContain('127.0.0.1');
});

const EVENTS = [
  ...['login', 'login-failed', 'passcode-failed', 'limited', 'cross-site', 'dead-token', 'forbidden', 'admin-flag'],
  ...['user-blocked', 'user-deleted'],
];
