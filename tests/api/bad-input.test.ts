import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '../../src/contract/call.ts';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { type Answer, call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, type TestUser } from '../support/rows.ts';

const WRONG_IDS = [
  '0',
  '-1',
  '1.5',
  'abc',
  '1e99',
  '1e3',
  '0x10',
  '9007199254740993',
  '%00',
  '%20',
  'NaN',
  '١',
  '1'.repeat(150),
];
const WRONG_VALUES = [null, [], {}, true, -1, 1e99, '', '   ', 'zero\0', '\ud800', 'x'.repeat(6000)];

interface ObjectSchema {
  properties?: Record<string, { type?: string }>;
  required?: string[];
}
const partOf = (part: unknown) => part as ObjectSchema;
const hasBody = ({ body }: Call) => Object.keys(partOf(body).properties ?? {}).length > 0;

/** What a refusal must look like, whatever was refused. */
function expectRefusal(answer: Answer, what: string, status?: number): void {
  expect(answer.status, what).toBeGreaterThanOrEqual(400);
  expect(answer.status, what).toBeLessThan(500);
  if (status !== undefined) expect(answer.status, what).toBe(status);
  expect(answer.headers.get('content-type'), what).toBe('application/json; charset=utf-8');
  expect(Object.keys(answer.body), what).toEqual(['error']);
  expect(answer.body.error.length, what).toBeGreaterThanOrEqual(10);
  expect(answer.body.error.length, what).toBeLessThanOrEqual(200);
  expect(answer.body.error, what).toMatch(/^[A-Z].*\.$/);
  expect(answer.text, what).not.toMatch(/sqlite|postgres|node_modules|\.ts|select |SQLITE/i);
}

describe.each(ENGINES)('bad input on %s', (engine) => {
  let product: Product;
  let admin: TestUser;
  let before: string;

  /** Everything that a refused call must leave as it is: all rows but what limits count. */
  async function snapshot(): Promise<string> {
    const db = product.app.database.read;
    const tables = ['schools', 'entries', 'reviews', 'users', 'profiles', 'outbox', 'sessions'] as const;
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    return JSON.stringify(rows);
  }

  beforeAll(async () => {
    product = await startProduct(engine);
    admin = await createUser(product, { isAdmin: true });
    for (const category of CATEGORIES) await createEntry(product, category);
    before = await snapshot();
  });
  afterAll(async () => {
    expect(await snapshot()).toBe(before);
    // A canary: after all that, the product still works.
    expect((await call(product, 'GET /auth/schools')).status).toBe(200);
    await product.stop();
  });

  const send = (target: Call, options: Parameters<typeof call>[2], path = target.path) =>
    call(product, `${target.method} ${path}`, { token: admin.token, ...options });

  test.each(CALLS.filter(({ path }) => path.includes(':')))('$name refuses every id that is none', async (target) => {
    for (const id of WRONG_IDS) {
      const path = target.path.replace(/:\w+/, id);
      expectRefusal(await send(target, hasBody(target) ? { body: {} } : {}, path), path);
    }
    expectRefusal(
      await send(target, hasBody(target) ? { body: { isAdmin: false } } : {}, target.path.replace(/:\w+/, '1.5')),
      target.name,
      400,
    );
  });

  test.each(CALLS.filter(hasBody))('$name refuses bodies that are none', async (target) => {
    const path = target.path.replace(/:\w+/, '1');
    const json = { 'Content-Type': 'application/json' };
    const raws = [
      '',
      '{',
      '[]',
      '"text"',
      '1',
      'null',
      '{"a":1,}',
      '{"__proto__":{"isAdmin":true}}',
      '\ufeff{}x',
      '['.repeat(5000),
    ];
    // Recommending needs nothing of the body, which it takes for a hint.
    const needed = (partOf(target.body).required ?? []).length > 0;
    for (const raw of raws) {
      const answer = await send(target, { raw, headers: json }, path);
      expectRefusal(answer, `${target.name} ${raw.slice(0, 20)}`, needed ? 400 : undefined);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
    ]) {
      expectRefusal(await send(target, { raw: '{}', headers: { 'Content-Type': type } }, path), type, 415);
    }
    const large = JSON.stringify({ x: 'x'.repeat(10 * 1024 * 1024) });
    expectRefusal(await send(target, { raw: large, headers: json }, path), 'ten megabytes', 413);
  });

  test.each(CALLS.filter((target) => (partOf(target.body).required ?? []).length > 0))(
    '$name refuses fields that are missing or of the wrong form',
    async (target) => {
      const path = target.path.replace(/:\w+/, '1');
      expectRefusal(await send(target, { body: {} }, path), `${target.name} without fields`, 400);
      const { properties = {}, required = [] } = partOf(target.body);
      const whole = Object.fromEntries(
        Object.entries(properties).map(([name, { type }]) => [
          name,
          type === 'integer'
            ? 1
            : type === 'number'
              ? 4
              : type === 'boolean'
                ? true
                : type === 'object'
                  ? { id: 1 }
                  : 'anything@example.org',
        ]),
      );
      for (const name of required) {
        const { [name]: _left, ...rest } = whole;
        expectRefusal(await send(target, { body: rest }, path), `${target.name} without ${name}`, 400);
        for (const value of WRONG_VALUES.filter((wrong) => !(properties[name]?.type === 'boolean' && wrong === true))) {
          // A code or a password is compared as typed: a wrong one is wrong, whatever it looks like.
          if (/code|password/i.test(name) && typeof value === 'string') continue;
          expectRefusal(
            await send(target, { body: { ...whole, [name]: value } }, path),
            `${target.name} ${name}=${JSON.stringify(value)?.slice(0, 30)}`,
            400,
          );
        }
      }
    },
  );

  test('query parameters that are repeated, arrays or wrong are refused', async () => {
    const queries = [
      'limit=0',
      'limit=-1',
      'limit=abc',
      'limit=1.5',
      'limit=1&limit=2',
      'prefix=a&prefix=b',
      'limit=1e2',
    ];
    for (const query of queries) expectRefusal(await call(product, `GET /auth/schools?${query}`), query, 400);
    const list = `/auth/${CATEGORIES[0]?.calls.reviews}/1`;
    for (const query of ['limit=101', 'before=x', 'before=1', 'before=1-2-3']) {
      expectRefusal(await call(product, `GET ${list}?${query}`), query, 400);
    }
    for (const query of ['', '?email=', '?email=x', '?email[]=a@b.co', '?email=a@b.co&email=c@d.co']) {
      expectRefusal(await call(product, `POST /auth/resend${query}`), query, 400);
    }
    expect((await call(product, 'GET /auth/schools?unknown=1&limit=1')).status).toBe(200);
  });

  test('unknown addresses, kinds and methods are refused', async () => {
    const requests = [
      'GET /auth',
      'GET /auth/',
      'GET /auth/getCanteens/1',
      'POST /auth/schools',
      'DELETE /auth/login',
      'PUT /auth/getSchool/1',
      'GET /auth/login',
      'PATCH /auth/updateSchool',
      'GET /AUTH/schools',
    ];
    for (const request of requests.slice(0, -1)) expectRefusal(await call(product, request), request, 404);
    for (const path of [
      '/.env',
      '/.git/HEAD',
      '/package.json',
      '/assets/../../package.json',
      '/data/',
      '/index.html.map',
      '/%2e%2e/package.json',
    ]) {
      const answer = await call(product, `GET ${path}`);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).not.toContain('"dependencies"');
    }
  });

  test('changes asked for by another site are refused', async () => {
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
    ]) {
      expectRefusal(
        await call(product, 'POST /auth/resend?email=a@b.co', { headers: headers as never }),
        JSON.stringify(headers),
        403,
      );
    }
    expect(
      (await call(product, 'GET /auth/schools', { headers: { Origin: 'https://elsewhere.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull();
  });

  test('bytes that are not HTTP get a 400 and the connection is closed', async () => {
    const { port, hostname } = new URL(product.url);
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '\u0016\u0003\u0001',
    ]) {
      const answer = await new Promise<string>((resolve, reject) => {
        let text = '';
        const socket = connect(Number(port), hostname, () => socket.end(bytes));
        socket.on('data', (chunk) => (text += chunk));
        socket.on('close', () => resolve(text));
        socket.on('error', reject);
      });
      expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/);
    }
  });
});
