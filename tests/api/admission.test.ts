import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { call } from '../support/call.ts';
import { startProduct } from '../support/product.ts';
import { category, createSchool } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

// Without a cache, so that every leaderboard costs time.
const product = productOf('sqlite', { CACHE_MB: '0' });
beforeAll(async () => {
  await generateData(product.app.database, { schools: 500, entries: 3, reviews: 2_000, seed: 1 }, () => {});
});

const askLeaderboard = () => call(product, `GET /auth/${category.calls.leaderboard}`);

/** Doubles the number of concurrent requests until they are more than can be served in time. */
async function overload() {
  for (let count = 100; ; count *= 2) {
    const burst = Promise.all(Array.from({ length: count }, askLeaderboard));
    const health = Promise.all(['/healthz', '/readyz'].map((path) => call(product, `GET ${path}`)));
    const answers = await burst;
    if (answers.some(({ status }) => status === 503)) return { answers, health: await health };
  }
}

test('what has waited too long under overload is refused at once, the rest and the health checks are answered', async () => {
  const { answers, health } = await overload();
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(answers.length - refused.length);
  expect(refused.length).toBeLessThan(answers.length);
  for (const { body, headers } of refused) {
    expect(body).toEqual({ error: expect.stringMatching(/try again shortly/) });
    expect(headers.get('retry-after')).toBe('2');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect(health.map(({ status }) => status)).toEqual([200, 200]);
  expect((await askLeaderboard()).status).toBe(200);
  expect(product.logs.filter(({ event }) => event === 'shedding')).not.toHaveLength(0);
  expect((await call(product, 'GET /metrics')).text).toContain(`\nshed_requests_total ${refused.length}\n`);
});

/** A renderer in place of the built one. It renders nothing, and puts the clock of the test on by 8 ms. */
const SLOW_RENDERER = `export const createRenderer = () => () => {
  globalThis.passTime(8);
  return '';
};`;

test('a product that renders slowly, as just after a start, serves 32 clients that request pages at once', async () => {
  const slow = await startProduct('sqlite', { CACHE_MB: '0' }, async (clientDir) => {
    await mkdir(join(clientDir, '../renderer'));
    await writeFile(join(clientDir, '../renderer/entry-server.js'), SLOW_RENDERER);
  });
  const schools = await Promise.all(Array.from({ length: 32 }, () => createSchool(slow)));
  // Over open connections, all requests arrive in one iteration of the event loop.
  await Promise.all(schools.map(() => call(slow, 'GET /healthz')));
  let now = performance.now();
  vi.stubGlobal('passTime', (ms: number) => {
    now += ms;
  });
  // Each reading of the clock takes a little time too, or one iteration of the event loop could serve any number of
  // requests.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 0.1;
    return now;
  });
  const answers = await Promise.all(schools.map(({ id }) => call(slow, `GET /school/${id}`)));
  clock.mockRestore();
  vi.unstubAllGlobals();
  expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200));
  await slow.stop();
});
