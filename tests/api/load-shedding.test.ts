import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../support/call.ts';
import { type Product, startProduct } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct('sqlite', {}, { shedsLoad: true });
});
afterAll(() => product.stop());

/** Keeps the event loop late, as more requests than can be served would, until told to stop. */
function keepBusy(): () => void {
  let isBusy = true;
  const turn = () => {
    const ends = performance.now() + 120;
    while (performance.now() < ends);
    if (isBusy) setTimeout(turn);
  };
  turn();
  return () => {
    isBusy = false;
  };
}

async function until(status: number, request: string) {
  for (;;) {
    const answer = await call(product, request);
    if (answer.status === status) return answer;
  }
}

test('under overload what is not ready is refused, what is ready and the health checks are answered', async () => {
  await call(product, 'GET /auth/schools');
  const stop = keepBusy();
  const refused = await until(503, 'GET /auth/getSchool/1');
  expect(refused.headers.get('retry-after')).toBe('2');
  expect(refused.body).toEqual({ error: expect.stringMatching(/try again shortly/) });
  expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
  for (const path of ['/auth/schools', '/healthz', '/readyz']) {
    expect((await call(product, `GET ${path}`)).status).toBe(200);
  }
  stop();
  await until(404, 'GET /auth/getSchool/1');
  expect(product.logs.filter(({ event }) => event === 'shedding')).not.toHaveLength(0);
  expect((await call(product, 'GET /metrics')).text).toMatch(/^shed_requests_total [1-9]/m);
});
