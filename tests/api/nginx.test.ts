import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  request as requestClear,
  type Server,
} from 'node:http';
import { type RequestOptions, request as requestTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasNginx, startNginx } from '../support/nginx.ts';
import { type Product, startProduct } from '../support/product.ts';

type Nginx = Awaited<ReturnType<typeof startNginx>>;

/** One request to nginx, over TLS unless told. */
async function ask(
  nginx: Nginx,
  path: string,
  { body, inClear = false, ...options }: RequestOptions & { body?: string | Buffer; inClear?: boolean } = {},
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }> {
  const common = {
    host: '127.0.0.1',
    path,
    servername: nginx.name,
    rejectUnauthorized: false,
    agent: false,
    ...options,
  };
  const headers = { Host: nginx.name, ...options.headers };
  const asking = inClear
    ? requestClear({ ...common, headers, port: nginx.clear })
    : requestTls({ ...common, headers, port: nginx.tls });
  asking.end(body);
  const [response] = await once(asking, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

async function startBefore(...upstreams: string[]): Promise<Nginx> {
  const nginx = await startNginx(upstreams);
  onTestFinished(nginx.stop);
  return nginx;
}

const HSTS = 'max-age=31536000; includeSubDomains';
const CALL = '/auth/schools';
const PAGE = '/landing';
/** Nobody listens there. */
const NOBODY = '127.0.0.1:1';

describe.skipIf(!hasNginx)('the sample of nginx', () => {
  describe('before the product', () => {
    let product: Product;
    let nginx: Nginx;
    beforeAll(async () => {
      product = await startProduct('sqlite', { PUBLIC_URL: 'https://reviews.example', TRUST_PROXY: '127.0.0.1' });
      nginx = await startNginx([new URL(product.url).host]);
    });
    afterAll(async () => {
      await nginx.stop();
      await product.stop();
    });

    test.each(['127.0.0.1', '::1'])(
      'passes calls and pages on over %s, with the headers of the product once',
      async (host) => {
        for (const path of [CALL, PAGE, '/readyz']) {
          const { status, headers } = await ask(nginx, path, { host });
          expect([path, status]).toEqual([path, 200]);
          expect(headers['strict-transport-security']).toBe(HSTS);
          expect(headers['retry-after']).toBeUndefined();
          expect(headers['cache-control']).not.toContain(', no-store');
        }
        const { status, headers, body } = await ask(nginx, '/auth/getSchool/7', { host });
        expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
        expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
      },
    );

    test('hides the metrics, in the form of calls', async () => {
      const { status, headers, body } = await ask(nginx, '/metrics');
      expect([status, headers['content-type'], headers['strict-transport-security']]).toEqual([
        404,
        'application/json',
        HSTS,
      ]);
      expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
    });

    test('refuses what is too large in the form of calls, or as a page', async () => {
      const body = Buffer.alloc(3 * 1024 * 1024, 'x');
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      const call = await ask(nginx, '/auth/login', { method: 'POST', headers, body });
      expect([call.status, call.headers['strict-transport-security']]).toEqual([413, HSTS]);
      expect(JSON.parse(call.body)).toEqual({ error: expect.stringContaining('too large') });
      const page = await ask(nginx, PAGE, { method: 'POST', headers, body });
      expect([page.status, page.headers['content-type']]).toEqual([413, 'text/html']);
    });

    test('leads people to TLS, and refuses programs in the clear', async () => {
      const page = await ask(nginx, `${PAGE}?a=1`, { inClear: true });
      expect([page.status, page.headers.location]).toEqual([301, `https://reviews.example${PAGE}?a=1`]);
      const call = await ask(nginx, '/auth/login', { inClear: true, method: 'POST' });
      expect([call.status, JSON.parse(call.body)]).toEqual([403, { error: 'Use https for this address.' }]);
    });

    test('refuses requests for another host name', async () => {
      await expect(ask(nginx, PAGE, { servername: 'other.example' })).rejects.toThrow();
      await expect(ask(nginx, PAGE, { inClear: true, headers: { Host: 'other.example' } })).rejects.toThrow();
    });

    test('logs no query', async () => {
      await ask(nginx, `${CALL}?prefix=secret`);
      await ask(nginx, `${PAGE}?email=secret`, { inClear: true });
      expect(nginx.accessLog().length).toBeGreaterThan(1);
      expect(nginx.accessLog().join()).not.toContain('secret');
    });
  });

  test('answers for a product that is not there, in the form of calls, or as a page', async () => {
    const nginx = await startBefore(NOBODY);
    for (const [path, type] of [
      [CALL, 'application/json'],
      [PAGE, 'text/html'],
    ] as const) {
      const { status, headers } = await ask(nginx, path);
      expect([status, headers['content-type']]).toEqual([503, type]);
      expect([headers['strict-transport-security'], headers['cache-control'], headers['retry-after']]).toEqual([
        HSTS,
        'no-store',
        '2',
      ]);
    }
  });

  test('skips a process that is down, and one that refuses a read', async () => {
    const one = await serve((_request, response) => response.writeHead(503).end());
    const other = await serve((_request, response) => response.end('well'));
    const nginx = await startBefore(NOBODY, addressOf(other));
    for (let time = 0; time < 4; time += 1) {
      expect((await ask(nginx, CALL)).body).toBe('well');
      expect((await ask(nginx, CALL, { method: 'POST', body: '{}' })).body).toBe('well');
    }
    const refusing = await startBefore(addressOf(one), addressOf(other));
    for (let time = 0; time < 4; time += 1) expect((await ask(refusing, CALL)).body).toBe('well');
  });

  test('never sends a post twice', async () => {
    let posts = 0;
    const refuse: RequestListener = (_request, response) => {
      posts += 1;
      response.writeHead(503, { 'Retry-After': '7' }).end();
    };
    const nginx = await startBefore(addressOf(await serve(refuse)), addressOf(await serve(refuse)));
    const { status, headers } = await ask(nginx, CALL, { method: 'POST', body: '{}' });
    expect([status, headers['retry-after'], posts]).toEqual([503, '7', 1]);
  });

  test('does not ask a second process after the first one has waited in vain', async () => {
    let asked = 0;
    const wait: RequestListener = (_request, response) => {
      asked += 1;
      setTimeout(() => response.writeHead(503).end(), 3_200);
    };
    const nginx = await startBefore(addressOf(await serve(wait)), addressOf(await serve(wait)));
    expect((await ask(nginx, CALL)).status).toBe(503);
    expect(asked).toBe(1);
  });
});
