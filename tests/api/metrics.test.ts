import { expect, test } from 'vitest';
import { call } from '../support/call.ts';
import type { Product } from '../support/product.ts';
import { startForTest } from '../support/site.ts';

const TOKEN = 'a-token-of-thirty-two-bytes-or-more';
/** The header by which a proxy on this machine passes on a request from outside. */
const FROM_OUTSIDE = { 'X-Forwarded-For': '203.0.113.9' };

async function start(env: Record<string, string>): Promise<Product> {
  const product = await startForTest('sqlite', env);
  return product;
}

const statusOf = async (product: Product, headers: Record<string, string>) =>
  (await call(product, 'GET /metrics', { headers })).status;

const warnings = (product: Product) => product.logs.filter(({ event }) => event === 'open-metrics');

test.each(['off', '127.0.0.1'])(
  'are for whoever has the token, and for this machine, with TRUST_PROXY=%s',
  async (TRUST_PROXY) => {
    const product = await start({ METRICS_TOKEN: TOKEN, TRUST_PROXY, NODE_ENV: 'production' });
    expect(await statusOf(product, {})).toBe(200);
    expect(await statusOf(product, { ...FROM_OUTSIDE, Authorization: `Bearer ${TOKEN}` })).toBe(200);
    const refused: Record<string, string>[] = [
      FROM_OUTSIDE,
      { 'X-Forwarded-For': '127.0.0.1' },
      { Forwarded: 'for=127.0.0.1' },
      { 'X-Real-IP': '127.0.0.1' },
      { Via: '1.1 proxy' },
      { ...FROM_OUTSIDE, Authorization: `Bearer ${TOKEN}x` },
      { ...FROM_OUTSIDE, Authorization: TOKEN },
      { ...FROM_OUTSIDE, Authorization: `Basic ${TOKEN}` },
      { ...FROM_OUTSIDE, Authorization: 'Bearer ' },
    ];
    for (const headers of refused) {
      const answer = await call(product, 'GET /metrics', { headers });
      expect(answer.body).toEqual({ error: 'Metrics are read with METRICS_TOKEN.' });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    expect(warnings(product)).toEqual([]);
  },
);

test('are for everybody without a token, which production warns of once', async () => {
  for (const [NODE_ENV, count] of [
    ['production', 1],
    ['development', 0],
  ] as const) {
    const product = await start({ NODE_ENV });
    expect(await statusOf(product, FROM_OUTSIDE)).toBe(200);
    expect(warnings(product)).toHaveLength(count);
  }
});

test.each([
  [{ METRICS: 'off', METRICS_TOKEN: TOKEN }, 404, 404],
  [{ METRICS: 'loopback', METRICS_TOKEN: TOKEN }, 200, 404],
  [{ METRICS: 'public' }, 200, 200],
])('are as METRICS says: %o', async (env, here, elsewhere) => {
  const product = await start(env);
  expect(await statusOf(product, {})).toBe(here);
  expect(await statusOf(product, { ...FROM_OUTSIDE, Authorization: `Bearer ${TOKEN}` })).toBe(elsewhere);
});
