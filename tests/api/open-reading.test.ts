import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { describeApi } from '../../src/server/documents/api-document.ts';
import { call } from '../support/call.ts';
import { merge } from '../support/merging.ts';
import { hide } from '../support/moderation.ts';
import {
  category,
  createEntry,
  createSchool,
  createUser,
  postReview,
  type RunningProduct,
  type TestUser,
} from '../support/rows.ts';
import { adminOf, describeProduct, startForTest } from '../support/site.ts';

const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Link, ETag, Retry-After, RateLimit, RateLimit-Policy',
  'cross-origin-resource-policy': 'cross-origin',
};
const CLOSED = {
  'access-control-allow-origin': null,
  'access-control-expose-headers': null,
  'cross-origin-resource-policy': 'same-origin',
};
const sharing = ({ headers }: Response | { headers: Headers }) =>
  Object.fromEntries(Object.keys(OPEN).map((name) => [name, headers.get(name)]));
const withId = (path: string) => path.replaceAll(/:\w+/g, '999999');

describeProduct('pages of other sites on %s', (product) => {
  const admin = adminOf(product);

  test('may read every call of GET that needs no token, whatever its status, and nothing else', async () => {
    const { id } = await createSchool(product);
    for (const { method, path, access } of CALLS) {
      const answer = await call(product, `${method} ${withId(path)}`);
      const isOpen = method === 'GET' && access === 'everyone';
      expect([path, sharing(answer)]).toEqual([path, isOpen ? OPEN : CLOSED]);
    }
    const address = `GET /auth/getSchool/${id}`;
    for (const status of [200, 200, 304]) {
      const { headers } = await call(product, address);
      const etag: Record<string, string> = status === 304 ? { 'If-None-Match': headers.get('etag') ?? '' } : {};
      const answer = await call(product, address, { headers: etag });
      expect([answer.status, sharing(answer)]).toEqual([status, OPEN]);
    }
    for (const bad of ['/auth/getSchool/x', '/auth/getSchool/%zz', `/feeds/school/${'1'.repeat(300)}.atom`])
      expect(sharing(await call(product, `GET ${bad}`)), bad).toEqual(OPEN);
    expect(sharing(await call(product, 'GET /openapi.json'))).toEqual(OPEN);
    expect(sharing(await call(product, 'GET /docs'))).toEqual(CLOSED);
  });

  test('are told by a preflight that they may read, for a day', async () => {
    const { status, headers } = await call(product, 'OPTIONS /auth/schools');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD');
    expect(headers.get('access-control-max-age')).toBe('86400');
    expect(headers.get('access-control-allow-headers')).toBe('X-Change-Position');
    const closed = await call(product, 'OPTIONS /auth/getUsers');
    expect([closed.status, sharing(closed)]).toEqual([404, CLOSED]);
  });

  test('read feeds of the newest visible reviews, as names and texts are now', async () => {
    const [author, other] = [await createUser(product), await createUser(product)];
    const school = await createSchool(product, `<b>"Sch\u0001ool" & more</b> ${author.username}`);
    const entry = await createEntry(product, category, school.id);
    const signed = await postReview(product, category, entry.id, author, { review: 'Fine & <i>dandy</i>' });
    await postReview(product, category, entry.id, other, { review: 'Said by nobody.', username: null });
    for (const address of [`/feeds/school/${school.id}.atom`, `/feeds/entry/${entry.id}.atom`]) {
      const { status, headers, text } = await call(product, `GET ${address}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
      expect(sharing({ headers })).toEqual(OPEN);
      expect(text.match(/<entry>/g)).toHaveLength(2);
      expect(text).toContain(`<id>tag:127.0.0.1,2026:review/${signed.body.id}</id>`);
      expect(text).toContain('<name>Anonymous</name>');
      expect(text).toContain(`<name>${author.username}</name>`);
      expect(text).toContain('<content type="text">Fine &#38; &#60;i&#62;dandy&#60;/i&#62;</content>');
      expect(text).not.toContain(other.username);
      expect(text).not.toContain('\u0001');
    }
    await hide(product, admin, signed.body.id);
    for (const address of [`/feeds/school/${school.id}.atom`, `/feeds/entry/${entry.id}.atom`]) {
      expect((await call(product, `GET ${address}`)).text.match(/<entry>/g)).toHaveLength(1);
    }
    const document = (await call(product, `GET /school/${school.id}`)).text;
    expect(document).toContain(
      `<link rel="alternate" type="application/atom+xml" href="/feeds/school/${school.id}.atom">`,
    );
  });

  test('show badges of the figures, which follow each review', async () => {
    const user = await createUser(product);
    const entry = await createEntry(product, category);
    const addresses = [`/badges/entry/${entry.id}.svg`, `/badges/school/${entry.schoolId}.svg?style=dark`];
    for (const address of addresses) {
      const { status, headers, text } = await call(product, `GET ${address}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect([sharing({ headers }), headers.get('cache-control')]).toEqual([OPEN, 'max-age=300']);
      expect(text).toContain('Not yet rated');
      expect(text).not.toContain('script');
    }
    await postReview(product, category, entry.id, user, { rating: 3.5 });
    for (const address of addresses)
      expect((await call(product, `GET ${address}`)).text).toContain('★ 3.5 · 1 review<');
    expect((await call(product, `GET ${addresses[0]}?style=pink`)).status).toBe(400);
  });

  test('are redirected after a merge, and show an image for a deleted subject', async () => {
    const [from, into] = [await createSchool(product), await createSchool(product)];
    expect((await merge(product, admin, from.id, into.id)).status).toBe(200);
    for (const [start, end] of [
      ['feeds', 'atom'],
      ['badges', 'svg'],
    ]) {
      const { status, headers } = await call(product, `GET /${start}/school/${from.id}.${end}`);
      expect([status, headers.get('location')]).toEqual([301, `/${start}/school/${into.id}.${end}`]);
      expect(sharing({ headers })).toEqual(OPEN);
    }
    const badge = await call(product, 'GET /badges/entry/999999.svg');
    expect([badge.status, badge.headers.get('content-type')]).toEqual([404, 'image/svg+xml; charset=utf-8']);
    expect(sharing(badge)).toEqual(OPEN);
    expect((await call(product, 'GET /feeds/entry/999999.atom')).status).toBe(404);
    for (const bad of ['/feeds/entry/0.atom', '/badges/review/1.svg', '/feeds/entry/1.svg']) {
      expect((await call(product, `GET ${bad}`)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('a limited call says what is left, and a refusal that nothing is; what caches may keep says neither', async () => {
    const limits = await startForTest(product.engine, { RATE_LIMIT: 'on' });
    const user = await createUser(limits);
    const saveAt = (where: RunningProduct, { id, token }: TestUser) =>
      call(where, 'POST /auth/postProfile', { token, body: { userId: id, major: 'Music' } });
    const save = () => saveAt(limits, user);
    for (let left = 29; left >= 0; left -= 1) {
      const { headers } = await save();
      expect(headers.get('ratelimit-policy')).toBe('"profile-saves";q=30;w=3600');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"profile-saves";r=${left};t=\\d+$`));
    }
    const refused = await save();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit')).toMatch(/^"profile-saves";r=0;t=\d+$/);
    expect((await call(limits, 'GET /auth/schools')).headers.get('ratelimit')).toBeNull();
    // A lifted limit is reported as unused.
    const unlimited = await saveAt(product, await createUser(product));
    expect(unlimited.headers.get('ratelimit')).toBe('"profile-saves";r=30;t=3600');
    // The headers must not reveal whether an account exists or what its owner does.
    const body = { email: user.email, password: 'not the password' };
    for (const left of [49, 48]) {
      const { headers } = await call(limits, 'POST /auth/login', { body });
      expect(headers.get('ratelimit-policy')).toBe('"wrong-passwords-by-address";q=50;w=900');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"wrong-passwords-by-address";r=${left};t=\\d+$`));
    }
    const guess = { email: 'nobody@example.org', forgotCode: '000000', newPassword: 'another long password' };
    const policies = [];
    const rates = [];
    for (const name of ['before', 'after']) {
      if (name === 'after') await call(limits, 'POST /auth/forgotPassword', { body: { email: guess.email } });
      const { headers } = await call(limits, 'POST /auth/resetPassword', { body: guess });
      policies.push(headers.get('ratelimit-policy'));
      rates.push(headers.get('ratelimit')?.replaceAll(/;t=\d+/g, ''));
    }
    const policy = (name: string) => `"wrong-passcodes${name}";q=20;w=3600`;
    expect(policies).toEqual([`${policy('-of-one')}, ${policy('-by-address')}`, policy('-of-one')]);
    expect(rates).toEqual([
      '"wrong-passcodes-of-one";r=19, "wrong-passcodes-by-address";r=19',
      '"wrong-passcodes-of-one";r=18',
    ]);
  });
});

test('every example of the API document meets its schema', () => {
  const document = JSON.parse(JSON.stringify(describeApi('Any site')).replaceAll('"#/components', '"api#/components'));
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } });
  ajv.addSchema({ $id: 'api', components: document.components });
  const contents: [string, { schema: object; example?: unknown }][] = [];
  for (const operation of Object.values<Record<string, object>>(document.paths).flatMap(Object.values)) {
    const { operationId, parameters, requestBody, responses } = operation;
    const bodies = [requestBody, ...Object.values<object>(responses)] as ({ content?: object } | undefined)[];
    contents.push(...parameters.map((one: { name: string }) => [`${operationId} ${one.name}`, one]));
    contents.push(
      ...bodies.flatMap((one) =>
        Object.values(one?.content ?? {}).map((of) => [operationId, of] as (typeof contents)[number]),
      ),
    );
  }
  expect(contents.length).toBeGreaterThan(1_000);
  const wrong = contents.filter(([, { schema, example }]) => example === undefined || !ajv.validate(schema, example));
  expect(wrong.map(([name]) => name)).toEqual([]);
  expect(document.servers).toEqual([{ url: '/' }]);
});
