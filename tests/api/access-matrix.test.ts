import { beforeAll, expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { createTokens, type Tokens } from '../support/access/identities.ts';
import { ACCESS_MATRIX, type AccessRow, fieldsFor, IDENTITIES, type Identity } from '../support/access/matrix.ts';
import { type Answer, call } from '../support/call.ts';
import { createEntry, createUser, postReview, signIn } from '../support/rows.ts';
import { describeProduct, worldOf } from '../support/site.ts';
import { hashState } from '../support/state.ts';
import { prepareRequest } from '../support/valid-requests.ts';
import type { ValidRequest } from '../support/world.ts';

const NAMES = Object.keys(IDENTITIES) as Identity[];
const isRefusal = (status: number) => status >= 400;
const guarded = ACCESS_MATRIX.filter(({ status }) => status.none === 401);

/** Calls that change or delete their caller. Each is made by an account of its own. */

const CHANGES_ACCOUNT = /(update|delete)MyAccount$/;

const LOG_IN = { error: 'Please log in first.' };
const SESSION_OVER = { error: 'Your session has ended. Please log in again.' };
const ADMINS_ONLY = { error: 'Only an admin may do this.' };

test('the table has a row for every call and none beside, each with a status for every identity', () => {
  const calls = CALLS.map(({ method, path }) => `${method} ${path}`);
  expect(ACCESS_MATRIX.map((row) => row.call).sort()).toEqual(calls.sort());
  for (const { status } of ACCESS_MATRIX) {
    expect(Object.values(status)).toHaveLength(9);
    for (const one of Object.values(status)) expect([200, 201, 204, 400, 401, 403, 404]).toContain(one);
  }
});

/** The conditions on every answer to an identity, beside its status. */
function expectAnswer(row: AccessRow, identity: Identity, answer: Answer): void {
  const { status, headers, body, text } = answer;
  if (status === 401) {
    expect(body).toEqual(identity === 'none' ? LOG_IN : SESSION_OVER);
    expect(headers.get('www-authenticate')).toBe(identity === 'none' ? 'Bearer' : 'Bearer error="invalid_token"');
  } else if (status === 403) {
    const isForAdmins = row.status.user === 403 && row.status.admin !== 403;
    if (isForAdmins) expect(body).toEqual(ADMINS_ONLY);
    else expect(body.error).toMatch(/^This ((profile|review|userId) belongs to somebody else|is your own review)\./);
  } else if (isRefusal(status)) {
    // Something that the caller may not even know of is answered like something that does not exist.
    expect(body.error).toMatch(/^(This passcode is wrong|There is no such [\w ]+)\.?/);
  } else {
    expectFields(fieldsFor(row, identity), answer);
  }
  if (row.status.none === 401) expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/passwordHash|password_hash|\$argon2|_key/);
}

function expectFields(fields: string, { status, body, text, headers }: Answer): void {
  if (status === 204) {
    expect([fields, text]).toEqual(['', '']);
    return;
  }
  if (fields === 'text') {
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    return;
  }
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (fields === 'null') {
    expect(body).toBeNull();
    return;
  }
  if (fields === 'ids') {
    expect(body).toEqual([]);
    return;
  }
  const isList = fields.startsWith('[');
  const names = fields.replaceAll(/[[\]]/g, '').split(' ');
  const wanted = names.filter((name) => !name.endsWith('?')).sort();
  const found: object[] = isList ? body : [body];
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) {
    const sure = Object.keys(one).filter((name) => !names.includes(`${name}?`));
    expect(sure.sort()).toEqual(wanted);
  }
}

describeProduct('access on %s', (product) => {
  const world = worldOf(product);
  let tokens: Tokens;

  beforeAll(async () => {
    tokens = await createTokens(world);
  });

  const prepare = (row: AccessRow) => prepareRequest(row.call, world);
  const ask = (row: AccessRow, { path, body }: ValidRequest, token: string | undefined) =>
    call(product, `${row.call.split(' ')[0]} ${path}`, { token, ...(body && { body }) });

  test.each(ACCESS_MATRIX)('$call answers each identity as the table says', async (row) => {
    const refused = NAMES.filter((name) => isRefusal(row.status[name]));
    const accepted = NAMES.filter((name) => !isRefusal(row.status[name]));
    expect(accepted.length).toBeGreaterThan(0);

    // Identities that are refused request the same subject that the first permitted one then gets.
    let request: ValidRequest | undefined = await prepare(row);
    const held = await Promise.all(refused.map(async (name) => [name, await tokens[name]()] as const));
    const before = await hashState(product);
    for (const [name, token] of held) {
      const answer = await ask(row, request, token);
      expect([name, answer.status]).toEqual([name, row.status[name]]);
      expectAnswer(row, name, answer);
    }
    expect(await hashState(product)).toEqual(before);

    const isRead = row.call.startsWith('GET ');
    const texts = new Set<string>();
    for (const name of accepted) {
      request ??= await prepare(row);
      const token = CHANGES_ACCOUNT.test(row.call)
        ? (await createUser(product, { isAdmin: name === 'admin' })).token
        : await tokens[name]();
      const answer = await ask(row, request, token);
      expect([name, answer.status]).toEqual([name, row.status[name]]);
      expectAnswer(row, name, answer);
      texts.add(answer.text);
      if (!isRead) request = undefined;
    }
    // A public read is the same for every caller, to the byte.
    if (isRead && row.status.none === 200) expect(texts.size).toBe(1);
  });

  test('a token that was logged out opens no guarded call', async () => {
    const { token } = await createUser(product, { isAdmin: true });
    await call(product, 'POST /auth/logout', { token });
    for (const row of guarded) {
      const answer = await ask(row, await prepare(row), token);
      expect(answer, row.call).toMatchObject({ status: 401, body: SESSION_OVER });
    }
  });

  test('an admin no more is refused by every call of admins, whatever the token claims', async () => {
    const demoted = await createUser(product, { isAdmin: true });
    const body = { isAdmin: false };
    const { status } = await call(product, `PUT /auth/updateUser/${demoted.id}`, { token: await tokens.admin(), body });
    expect(status).toBe(200);
    const ofAdmins = guarded.filter((row) => row.status.user === 403);
    expect(ofAdmins.length).toBeGreaterThan(20);
    for (const row of ofAdmins) {
      const answer = await ask(row, await prepare(row), demoted.token);
      expect(answer, row.call).toMatchObject({ status: 403, body: ADMINS_ONLY });
    }
  });

  test('no public answer tells who wrote an anonymous review', async () => {
    const author = await createUser(product);
    for (const category of CATEGORIES) {
      const entry = await createEntry(product, category);
      await postReview(product, category, entry.id, author, { username: null, review: 'Nobody said this.' });
      const { calls, pages } = category;
      const listed = await call(product, `GET /auth/${calls.reviews}/${entry.id}`);
      expect(Object.keys(listed.body[0]).sort()).toEqual(['createdAt', 'helpful', 'id', 'rating', 'review']);
      const addresses = [
        `/auth/${calls.reviews}/${entry.id}`,
        `/auth/${calls.averageRating}/${entry.id}`,
        `/auth/${calls.totalReviews}/${entry.id}`,
        `/auth/getReview/${listed.body[0].id}`,
        `/auth/getEntrySummary/${entry.id}`,
        `/auth/${calls.details}/${entry.id}`,
        `/auth/${calls.list}/${entry.schoolId}`,
        `/auth/${calls.leaderboard}`,
        `${pages.reviews}/${entry.id}`,
        `${pages.list}/${entry.schoolId}`,
      ];
      for (const address of addresses) {
        const { status, text } = await call(product, `GET ${address}`);
        expect(status, address).toBe(200);
        expect(text, address).not.toContain(author.username);
        expect(text, address).not.toMatch(/user_?id/i);
      }
      // Only the author's own answer says whose review it is.
      const own = await call(product, `GET /auth/${calls.myReview}/${entry.id}`, { token: author.token });
      expect(own.body).toMatchObject({ userId: author.id });
      expect(own.body).not.toHaveProperty('username');
    }
  });

  test.each(['bearer', 'BEARER'])('a token is taken after "%s" as well', async (scheme) => {
    const headers = { Authorization: `${scheme} ${await signIn(product, world.user.id)}` };
    expect((await call(product, `GET /auth/getProfile/${world.user.id}`, { headers })).status).toBe(200);
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Bearer a b', 'token'])(
    'the header "Authorization: %s" is no token',
    async (header) => {
      const headers = { Authorization: header };
      expect((await call(product, `GET /auth/getProfile/${world.user.id}`, { headers })).status).toBe(401);
    },
  );
});
