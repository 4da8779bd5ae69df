import { describe, expect, test } from 'vitest';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { REQUESTS_PER_MINUTE } from '../../src/server/http/limits/limits.ts';
import { type Answer, call } from '../support/call.ts';
import { exchange, readFirstAnswer } from '../support/corpus/raw-http.ts';
import { send } from '../support/corpus/send.ts';
import { category } from '../support/rows.ts';
import { productOf, startForTest } from '../support/site.ts';

/** A page that says what happened, under the policy of documents, complete without a script. */
function expectPage({ status, headers, text }: Answer, expected: { status: number; heading: string; says: RegExp }) {
  expect([status, headers.get('content-type')]).toEqual([expected.status, 'text/html; charset=utf-8']);
  expect(text).toContain(`<h1>${expected.heading}</h1>`);
  expect(text).toMatch(expected.says);
  expect(text).toContain('<a class="button');
  expect(text).toContain('<meta name="robots" content="noindex">');
  expect(text).not.toContain('<script');
  expect(headers.get('content-security-policy')).toContain("style-src 'self'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
}

/** Every page's address, with an id where it has one. */
const ADDRESSES = ALL_PAGES.map(({ path }) => path.replace(':id', '1'));

describe('pages', () => {
  const product = productOf('sqlite', { SITE_NAME: 'A "quoted" <site>' });

  test.each(['/school/%zz', `/school/${'1'.repeat(201)}`])(
    'whose address no route can be looked up for, %s, are a page with the status 400',
    async (path) => {
      const answer = await call(product, `GET ${path}`);
      expectPage(answer, {
        status: 400,
        heading: 'This address does not work',
        says: /The address is not spelled correctly\./,
      });
      expect(answer.text).toContain('<title>This address does not work · A &#34;quoted&#34; &#60;site&#62;</title>');
    },
  );

  test.each([
    ['/login', 'text/html'],
    ['/auth/schools', 'application/json'],
  ])('with two hosts, %s, are refused in the form of their address', async (path, type) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: one.example\r\nHost: two.example\r\n\r\n`;
    const { status, headers, text } = readFirstAnswer(await exchange(product, request)).reply;
    expect([status, headers['content-type']]).toEqual([400, `${type}; charset=utf-8`]);
    expect(text).toContain('The request names more than one host.');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'answer %s with 405 and what to do, from wherever it comes',
    async (method) => {
      for (const path of ADDRESSES) {
        for (const origin of [undefined, 'null', 'https://elsewhere.example']) {
          const answer = await call(product, `${method} ${path}`, {
            raw: 'email=somebody%40example.org&password=typed',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...(origin && { Origin: origin }) },
          });
          expect(answer.headers.get('allow'), path).toBe('GET, HEAD');
          expectPage(answer, { status: 405, heading: 'Nothing was sent', says: /Forms here need JavaScript/ });
        }
      }
      expect(JSON.stringify(product.logs)).not.toContain('typed');
    },
  );

  test('with a trailing slash redirect to the address without it, with their query', async () => {
    for (const path of ADDRESSES.filter((one) => one !== '/')) {
      for (const query of ['', '?q=a%20b&next=//evil.example', '?']) {
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await call(product, `${method} ${path}/${query}`);
          expect([status, headers.get('location')]).toEqual([308, path + query]);
        }
      }
    }
  });

  test.each([
    '//evil.example/',
    '//evil.example/school/1/',
    '/school//evil.example/',
    '/school/1//',
    '/nowhere/',
    '/school/0/',
    '/school/%2f%2fevil.example/',
    '/school/\\evil/',
  ])('lead nowhere else by a slash: %s', async (path) => {
    const { status, headers } = await send(product, { method: 'GET', path });
    expect([status, headers.location]).toEqual([404, undefined]);
  });

  test('that are not there say so without a script, and calls under other names stay calls', async () => {
    for (const path of ['/nowhere', '/sch%C3%B6n', '/school/999999', '/school/abc']) {
      const { status, text } = await call(product, `GET ${path}`);
      expect([status, text.match(/<h1>[^<]*/)?.[0]], path).toEqual([404, '<h1>Page not found']);
    }
    for (const path of ['/auth', '/auth/nothing', '/%61uth/getSchool/999999', '/assets/none.js', '/healthz/no.txt']) {
      const { status, body } = await call(product, `GET ${path}`);
      expect([status, Object.keys(body)], path).toEqual([404, ['error']]);
    }
  });
});

test('a page refused by the limit of its address says how long to wait, a call does as ever', async () => {
  const product = await startForTest('sqlite', { RATE_LIMIT: 'on' });
  for (let count = 0; count < REQUESTS_PER_MINUTE; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => call(product, 'GET /healthz')));
  }
  const [page, ofCall] = [await call(product, 'GET /school/1?a=b'), await call(product, 'GET /auth/schools')];
  expectPage(page, {
    status: 429,
    heading: 'Too many requests',
    says: /Please slow down\. You can try again in \d+ seconds?\./,
  });
  expect(page.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(page.text).toContain('<a class="button button-primary" href="">Try again</a>');
  expect([ofCall.status, ofCall.body]).toEqual([429, { error: 'Too many requests. Please slow down.' }]);
  // One log line for both refusals: a flood of requests must not become a flood of lines.
  expect(product.logs.filter(({ event }) => event === 'limited')).toEqual([
    expect.objectContaining({
      limit: 'requests',
      reqId: page.headers.get('x-request-id'),
      address: expect.stringMatching(/^[\w-]{16}$/),
    }),
  ]);
});

test('a page refused under overload is a page', async () => {
  // Nothing is cached, so that every document is work.
  const product = await startForTest('sqlite', { CACHE_MB: '0' });
  await generateData(product.app.database, { schools: 200, entries: 3, reviews: 500, seed: 1 }, () => {});
  const path = `/auth/${category.calls.leaderboard}`;
  let refused: Answer | undefined;
  for (let count = 100; !refused; count *= 2) {
    const burst = Array.from({ length: count }, (_, index) =>
      call(product, `GET ${index % 10 === 9 ? '/leaderboard' : path}`),
    );
    const pages = (await Promise.all(burst)).filter((_, index) => index % 10 === 9);
    refused = pages.find(({ status }) => status === 503);
  }
  expectPage(refused, { status: 503, heading: 'Not available right now', says: /try again shortly\./ });
  expect(refused.headers.get('retry-after')).toBe('2');
});
