import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressAssets } from '../../bin/compress.mjs';
import { insertSchool } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import type { Product } from '../support/product.ts';
import { productOf } from '../support/site.ts';

/** The bytes as they come over the wire; fetch would decode them. */
async function wire({ url }: Product, path: string, headers: Record<string, string> = {}) {
  const sent = request(url, { path, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}

describe('compressed forms', () => {
  const SCRIPT = Buffer.from(`export const texts = ${JSON.stringify(Array.from({ length: 300 }, (_, n) => `é${n}`))};`);
  const FONT = randomBytes(2_000);
  const product = productOf('sqlite', {}, fillClient);
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

  test('a document names the scripts of its page and of no other, and the list of them is no address', async () => {
    const named = '<div id="root" data-scripts="/assets/app-1a2b.js">';
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

  test.each(['font-3c4d.woff2', 'tiny-5e6f.js'])('are not needed to request %s', async (name) => {
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
        // The second one comes from the cache.
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
