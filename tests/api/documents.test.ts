import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressAssets } from '../../bin/compress.mjs';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { send } from '../support/corpus/send.ts';
import { type Product, startProduct } from '../support/product.ts';
import { createEntry, createUser, postReview } from '../support/rows.ts';

const NASTY = `</title></script><script>alert(1)</script><!-- " ' & \u2028`;

describe('documents and operations', () => {
  let product: Product;
  let schoolId: number;

  beforeAll(async () => {
    product = await startProduct('sqlite', { PUBLIC_URL: 'https://reviews.example', SITE_NAME: 'A "quoted" <site>' });
    const school = { schoolName: `School ${NASTY}`, description: `About ${NASTY}`, location: `Here ${NASTY}` };
    schoolId = (await product.app.database.write((db) => insertSchool(db, school))).id;
  });
  afterAll(() => product.stop());

  const page = (path: string) => call(product, `GET ${path}`);
  const dataOf = (html: string) =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');

  test('every page of the product is served, private ones not to be listed', async () => {
    for (const { path, about, isPrivate } of ALL_PAGES) {
      if (about === 'entry' || path === '/') continue;
      const answer = await page(path.replace(':id', String(schoolId)));
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('content-type'), path).toBe('text/html; charset=utf-8');
      expect(answer.text.includes('noindex'), path).toBe(isPrivate === true);
      expect(answer.text.includes('rel="canonical"'), path).toBe(isPrivate !== true);
    }
  });

  test('unknown addresses and ids are a document with the status 404', async () => {
    const paths = [
      '/nowhere',
      '/school/999999',
      '/school/abc',
      '/school/0',
      '/school/1e0',
      ...CATEGORIES.flatMap(({ pages }) => [`${pages.list}/999999`, `${pages.reviews}/999999`]),
    ];
    for (const path of paths) {
      const answer = await page(path);
      expect(answer.status, path).toBe(404);
      expect(answer.text, path).toContain('noindex');
    }
  });

  test('markup in names stays text in the head, and the structured data is what was written', async () => {
    const { text } = await page(`/school/${schoolId}`);
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text.match(/<\/title>/g)).toHaveLength(1);
    expect(text).not.toContain('<!-- ');
    expect(dataOf(text)).toMatchObject({
      '@type': 'CollegeOrUniversity',
      name: `School ${NASTY}`,
      url: `https://reviews.example/school/${schoolId}`,
    });
  });

  test.each(CATEGORIES)('the head of a $label review page carries its ratings and newest reviews', async (category) => {
    const entry = await createEntry(product, category, schoolId);
    const path = `${category.pages.reviews}/${entry.id}`;
    expect(dataOf((await page(path)).text)).not.toHaveProperty('aggregateRating');
    await postReview(product, category, entry.id, await createUser(product), { rating: 3.5, review: NASTY });
    await postReview(product, category, entry.id, await createUser(product), { rating: 4, username: null });
    const data = dataOf((await page(path)).text);
    expect(data.aggregateRating).toEqual({
      '@type': 'AggregateRating',
      ratingValue: 3.75,
      reviewCount: 2,
      bestRating: 5,
      worstRating: 0.5,
    });
    expect(data.review).toHaveLength(2);
    expect(data.review[0]).toMatchObject({ author: { name: 'Anonymous' }, reviewRating: { ratingValue: 4 } });
    expect(data.review[1]).toMatchObject({ reviewBody: NASTY.trim().normalize('NFC') });
    expect(data.parentOrganization).toMatchObject({ '@type': 'CollegeOrUniversity' });
  });

  test('links come from PUBLIC_URL whatever host a request names', async () => {
    const answer = await call(product, 'GET /sitemap.xml', { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(answer.headers.get('content-type')).toContain('xml');
    expect(answer.text).toContain(`<loc>https://reviews.example/school/${schoolId}</loc>`);
    expect(answer.text).not.toContain('evil');
    for (const { path, isPrivate } of ALL_PAGES.filter(({ path }) => !path.includes(':') && path !== '/')) {
      expect(answer.text.includes(`<loc>https://reviews.example${path}</loc>`), path).toBe(!isPrivate);
    }
    expect((await page('/robots.txt')).text).toContain('Sitemap: https://reviews.example/sitemap.xml');
  });

  test('every answer is protected by its headers', async () => {
    const answers = await Promise.all(
      ['/landing', '/auth/schools', '/auth/nothing', '/healthz', '/nowhere', '/metrics', '/openapi.json'].map(page),
    );
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  test.each(['%zz', '1'.repeat(201)])(
    'an address that no route can be looked up for, %s, is a 400 like any',
    async (id) => {
      const { status, headers, body } = await page(`/auth/getSchool/${id}`);
      expect([status, body]).toEqual([400, { error: 'The address is not spelled correctly.' }]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
    },
  );

  test('an expectation nobody knows is passed over, not answered without a word', async () => {
    const headers = { Expect: 'nonsense' };
    const { status, text } = await send(product, { method: 'GET', path: '/healthz', headers });
    expect([status, JSON.parse(text)]).toEqual([200, { status: 'up' }]);
  });

  test('the API document describes every call with its access', async () => {
    const { body } = await page('/openapi.json');
    expect(body.openapi).toBe('3.1.0');
    for (const { method, path, access, status } of CALLS) {
      const operation = body.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(operation?.responses, path).toHaveProperty(String(status));
      expect(operation.security !== undefined, path).toBe(access !== 'everyone');
    }
    expect(body.paths['/auth/login'].post.responses).toHaveProperty('401');
    expect((await page('/docs')).text).toContain('/auth/recommendSchool');
  });

  test('health, readiness and metrics answer', async () => {
    expect((await page('/healthz')).status).toBe(200);
    expect((await page('/readyz')).body).toEqual({ status: 'ready' });
    await page('/auth/schools');
    const { text, headers } = await page('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toMatch(/http_answers_total\{[^}]*route="\/healthz"/);
    expect(text).toContain('answer_cache_bytes');
  });

  test('no log line holds a query string', async () => {
    await page('/change?email=a@b.co&newPassword=hidden-in-plain-sight');
    await call(product, 'POST /auth/resend?email=somebody@example.org');
    expect(JSON.stringify(product.logs)).not.toMatch(/hidden-in-plain-sight|somebody@/);
  });
});

/** The bytes as they come over the wire; fetch would decode them. */
async function wire({ url }: Product, path: string, headers: Record<string, string> = {}) {
  const sent = request(url, { path, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

describe('compressed forms', () => {
  const SCRIPT = Buffer.from(`export const texts = ${JSON.stringify(Array.from({ length: 300 }, (_, n) => `é${n}`))};`);
  const FONT = randomBytes(2_000);
  let product: Product;
  let built: string[];

  async function fillClient(clientDir: string): Promise<void> {
    const assets = join(clientDir, 'assets');
    mkdirSync(assets);
    writeFileSync(join(assets, 'app-1a2b.js'), SCRIPT);
    writeFileSync(join(clientDir, 'page-scripts.json'), JSON.stringify({ '/school/:id': ['/assets/app-1a2b.js'] }));
    writeFileSync(join(assets, 'font-3c4d.woff2'), FONT);
    writeFileSync(join(assets, 'tiny-5e6f.js'), 'export{};');
    await compressAssets(clientDir);
    built = readdirSync(clientDir, { recursive: true, encoding: 'utf8' });
  }

  beforeAll(async () => {
    product = await startProduct('sqlite', {}, fillClient);
  });
  afterAll(() => product.stop());

  test('a document names the scripts of its page and of no other, and the list of them is no address', async () => {
    const named = '<link rel="later" crossorigin href="/assets/app-1a2b.js">';
    const school = { schoolName: 'Preloading', description: 'A school', location: 'Here' };
    const { id } = await product.app.database.write((db) => insertSchool(db, school));
    expect((await call(product, `GET /school/${id}`)).text).toContain(named);
    for (const path of ['/school/999999', '/landing']) {
      expect((await call(product, `GET ${path}`)).text).not.toContain('app-1a2b');
    }
    expect((await call(product, 'GET /page-scripts.json')).status).toBe(404);
  });

  const ENCODINGS = [
    ['br', 'gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br being refused', 'gzip, br;q=0', 'gzip', gunzipSync],
    ['gzip, br being part of another name', 'x-br, gzip;q=0.5', 'gzip', gunzipSync],
    ['none', '', undefined, (bytes: Buffer) => bytes],
  ] as const;

  test('stand beside the files they make smaller, and no others', () => {
    const compressed = built.filter((name) => /\.(br|gz)$/.test(name)).sort();
    expect(compressed).toEqual([join('assets', 'app-1a2b.js.br'), join('assets', 'app-1a2b.js.gz')]);
  });

  test.each(ENCODINGS)('of a script, to a client that takes %s', async (_, accepted, encoding, decode) => {
    const { status, headers, bytes } = await wire(product, '/assets/app-1a2b.js', { 'Accept-Encoding': accepted });
    expect(status).toBe(200);
    expect(decode(bytes)).toEqual(SCRIPT);
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/^accept-encoding$/i),
    });
    expect(headers['content-encoding']).toBe(encoding);
    const again = { 'Accept-Encoding': accepted, 'If-None-Match': String(headers.etag) };
    const unchanged = await wire(product, '/assets/app-1a2b.js', again);
    expect([unchanged.status, unchanged.bytes.length, unchanged.headers.etag]).toEqual([304, 0, headers.etag]);
    const other = await wire(product, '/assets/app-1a2b.js', { ...again, 'Accept-Encoding': 'other' });
    expect(other.status).toBe(encoding ? 200 : 304);
  });

  test.each(['font-3c4d.woff2', 'tiny-5e6f.js'])('are missed by nobody who asks for %s', async (name) => {
    const { status, headers, bytes } = await wire(product, `/assets/${name}`, { 'Accept-Encoding': 'gzip, br' });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    expect(bytes).toEqual(name.endsWith('.js') ? Buffer.from('export{};') : FONT);
  });

  test.each(ENCODINGS)(
    'of documents and the like, to a client that takes %s',
    async (_, accepted, encoding, decode) => {
      const description = 'A long description of a school. '.repeat(40);
      const school = { schoolName: `Compressed ${accepted}`, description, location: 'Here' };
      const { id } = await product.app.database.write((db) => insertSchool(db, school));
      for (const path of [`/school/${id}`, '/docs', '/openapi.json']) {
        const plain = await wire(product, path);
        // The second one is out of what is kept.
        for (const time of ['first', 'second']) {
          const { status, headers, bytes } = await wire(product, path, { 'Accept-Encoding': accepted });
          expect([status, headers['content-encoding'], headers.vary], time).toEqual([200, encoding, 'Accept-Encoding']);
          expect(decode(bytes), path).toEqual(plain.bytes);
          expect(headers['content-type']).toBe(plain.headers['content-type']);
          expect(headers['content-length']).toBe(String(bytes.length));
          if (encoding) expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
        }
      }
    },
  );

  test.each([
    '/assets/app-1a2b.js.br',
    '/assets/app-1a2b.js.gz',
    '/assets/app-1a2b.js%2ebr',
    '/index.html',
    '/index.html.br',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/../data/token-secret',
    '/assets/%2e%2e/%2e%2e/data/token-secret',
    '/assets/app-1a2b.js/../../../data/token-secret',
    '/..%5cdata%5ctoken-secret',
  ])('are no addresses of their own, nor is anything else of the disk: %s', async (path) => {
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { status, headers } = await wire(product, path, { 'Accept-Encoding': accepted });
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    }
  });
});
