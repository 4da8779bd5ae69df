import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { CALLS } from '../../src/contract/calls.ts';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { ALL_PAGES } from '../../src/contract/pages.ts';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { send } from '../support/corpus/send.ts';
import { productOf } from '../support/site.ts';

const NASTY = `</title></script><script>alert(1)</script><!-- " ' & \u2028`;

describe('documents and operations', () => {
  const product = productOf('sqlite', { PUBLIC_URL: 'https://reviews.example', SITE_NAME: 'A "quoted" <site>' });
  let schoolId: number;

  beforeAll(async () => {
    const school = { schoolName: `School ${NASTY}`, description: `About ${NASTY}`, location: `Here ${NASTY}` };
    schoolId = (await product.app.database.write((db) => insertSchool(db, school))).id;
  });

  const page = (path: string) => call(product, `GET ${path}`);
  const dataOf = (html: string) =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');

  test('every page of the product is served, private ones not to be listed', async () => {
    for (const { path, about, isPrivate } of ALL_PAGES) {
      if (about === 'entry' || about === 'review' || path === '/') continue;
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
    // The scripts say what the school is, where its page stands, and what the page was rendered from.
    expect(text.match(/<script/g)).toHaveLength(3);
    expect(text.match(/<\/script>/g)).toHaveLength(3);
    expect(text.match(/<\/title>/g)).toHaveLength(1);
    expect(text).not.toContain('<!-- ');
    expect(dataOf(text)).toMatchObject({
      '@type': 'CollegeOrUniversity',
      name: `School ${NASTY}`,
      url: `https://reviews.example/school/${schoolId}`,
    });
  });

  test('a long description is cut to 200 characters', async () => {
    const school = { schoolName: 'Long School', description: 'word '.repeat(100), location: 'Oslo, Norway' };
    const { id } = await product.app.database.write((db) => insertSchool(db, school));
    const { text } = await page(`/school/${id}`);
    expect(/<meta name="description" content="([^"]*)/.exec(text)?.[1]).toMatch(/^Oslo, Norway\. word .{180}…$/);
  });

  test.each(['😀', '👨‍👩‍👧', 'e\u0323\u0304'])('a long description of %s ends with a whole one', async (letter) => {
    const school = { schoolName: 'Long School', description: letter.repeat(200), location: 'Oslo, Norway' };
    const { id } = await product.app.database.write((db) => insertSchool(db, school));
    const { text } = await page(`/school/${id}`);
    const [, shown = ''] = /<meta name="description" content="Oslo, Norway\. ([^"]*)…"/.exec(text) ?? [];
    expect(shown.replaceAll(letter, '')).toBe('');
    expect(shown.length).toBeGreaterThan(150);
  });

  test('no two pages share a title or a description, and the first one is the landing page', async () => {
    const paths = ALL_PAGES.filter(({ isPrivate, about }) => !isPrivate && !about).map(({ path }) => path);
    const heads = new Map<string, string>();
    for (const path of paths) {
      const { text } = await page(path);
      const title = /<title>([^<]*)/.exec(text)?.[1] ?? '';
      const description = /<meta name="description" content="([^"]*)/.exec(text)?.[1] ?? '';
      const canonical = /<link rel="canonical" href="([^"]*)/.exec(text)?.[1] ?? '';
      expect(
        [title, description].filter((one) => one.length < 15),
        path,
      ).toEqual([]);
      for (const one of [title, description]) expect(heads.get(one) ?? canonical, path).toBe(canonical);
      for (const one of [title, description]) heads.set(one, canonical);
    }
    expect((await page('/')).text).toContain('<title>Discover schools worldwide · A &#34;quoted&#34;');
    expect((await page('/')).text).toContain('<link rel="canonical" href="https://reviews.example/landing">');
  });

  test('shared links show a picture that is there, in the size it is said to have', async () => {
    const { text } = await page(`/school/${schoolId}`);
    const [, width, height] = /og:image:width" content="(\d+)".*og:image:height" content="(\d+)"/.exec(text) ?? [];
    expect(text).toContain('<meta property="og:image" content="https://reviews.example/og-image.png">');
    const png = readFileSync(new URL('../../src/client/public/og-image.png', import.meta.url));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([Number(width), Number(height)]);
  });

  test('links come from PUBLIC_URL whatever host a request names', async () => {
    const answer = await call(product, 'GET /sitemap.xml', { headers: { 'X-Forwarded-Host': 'evil.example' } });
    expect(answer.headers.get('content-type')).toContain('xml');
    expect(answer.text).toContain(`<loc>https://reviews.example/school/${schoolId}</loc>`);
    expect(answer.text).not.toContain('evil');
    for (const { path, isPrivate, isUnlisted } of ALL_PAGES.filter(({ path }) => !path.includes(':') && path !== '/')) {
      expect(answer.text.includes(`<loc>https://reviews.example${path}</loc>`), path).toBe(!isPrivate && !isUnlisted);
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
    expect(text).toContain('cached_response_bytes');
  });

  test('no log line holds a query string', async () => {
    await page('/change?email=a@b.co&newPassword=hidden-in-plain-sight');
    await call(product, 'POST /auth/resend?email=somebody@example.org');
    expect(JSON.stringify(product.logs)).not.toMatch(/hidden-in-plain-sight|somebody@/);
  });
});
