import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TIME_BUDGETS } from '../../src/server/http/limits/time-budgets.ts';
import { type Answer, call } from '../support/call.ts';
import { ENGINES, type Product, startProduct } from '../support/product.ts';
import { category, createEntry, createUser, postReview, type TestUser } from '../support/rows.ts';

const BY_NETWORK = { error: 'Your network has made this site work a lot. Please wait a moment and try again.' };
const BY_USER = { error: 'Your requests have made this site work a lot. Please wait a moment and try again.' };

/** Processor time that passes only when told to, beside the little that passes in truth. */
let ahead = 0;
/** The processor time that writing one list takes. */
let milliseconds = 0;
const written = { lists: 0 };

beforeAll(() => {
  const { now } = performance;
  const { threadCpuUsage } = process;
  const { stringify } = JSON;
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
    const { user, system } = threadCpuUsage();
    return { user: user + ahead * 1_000, system };
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((...values: Parameters<typeof stringify>) => {
    if (Array.isArray(values[0])) {
      written.lists += 1;
      ahead += milliseconds;
    }
    return stringify(...values);
  });
});
beforeEach(() => {
  milliseconds = 1_000;
});
afterEach(() => {
  milliseconds = 0;
});

describe.each(ENGINES)('processor time on %s', (engine) => {
  let product: Product;
  let free: Product;
  let user: TestUser;
  let path: string;
  let months = 0;
  let addresses = 0;
  let here: string;

  beforeAll(async () => {
    product = await startProduct(engine, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' });
    free = await startProduct(engine, { RATE_LIMIT: 'off', TRUST_PROXY: '127.0.0.1' });
    for (const one of [product, free]) {
      const entry = await createEntry(one, category);
      await postReview(one, category, entry.id, await createUser(one));
      path = `/auth/get${category.kind[0]?.toUpperCase()}${category.kind.slice(1)}Review/${entry.id}`;
    }
    user = await createUser(product);
  });
  beforeEach(() => {
    addresses += 1;
    here = `192.0.2.${addresses}`;
  });
  afterAll(async () => {
    await product.stop();
    await free.stop();
  });

  const ask = (request: string, from = here, token?: string, on = product): Promise<Answer> =>
    call(on, request, { headers: { 'X-Forwarded-For': from }, ...(token && { token }) });
  /** Asks for a list that is never cached: the reviews of the last months. */
  const askUncached = (from?: string, on?: Product) => {
    months = (months % 100) + 1;
    return ask(`GET ${path}?months=${months}`, from, undefined, on);
  };
  const untilRefused = async (send: () => Promise<Answer>): Promise<{ answered: number; refusal: Answer }> => {
    for (let answered = 0; answered < 50; answered += 1) {
      const answer = await send();
      if (answer.status !== 200) return { answered, refusal: answer };
    }
    throw new Error('Nothing was refused.');
  };

  test('an address whose uncached answers took too much is refused, says until when, and others are not', async () => {
    const { answered, refusal } = await untilRefused(() => askUncached());
    // While an answer is made, a tenth of what it takes is added to the budget.
    expect(answered).toBe(7);
    expect(refusal).toMatchObject({ status: 429, body: BY_NETWORK });
    const seconds = Number(refusal.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect((await askUncached('198.51.100.7')).status).toBe(200);
    ahead += seconds * 1_000;
    expect((await askUncached()).status).toBe(200);
  });

  test('cached answers take nothing, and are given to whoever has used up everything', async () => {
    await ask(`GET ${path}`, '198.51.100.8');
    const before = written.lists;
    for (let count = 0; count < 30; count += 1) expect((await ask(`GET ${path}`)).status).toBe(200);
    expect(written.lists).toBe(before);
    const { answered } = await untilRefused(() => askUncached());
    expect(answered).toBe(7);
    expect((await ask(`GET ${path}`)).status).toBe(200);
    expect((await ask('GET /healthz')).status).toBe(200);
  });

  test('the addresses of an IPv6 network pay together', async () => {
    let host = 0;
    const { answered, refusal } = await untilRefused(() => {
      host += 1;
      return askUncached(`2001:db8:77:1::${host}`);
    });
    expect(answered).toBe(7);
    expect(refusal).toMatchObject({ status: 429, body: BY_NETWORK });
  });

  test('a user pays from wherever they ask', async () => {
    let from = 0;
    const { answered, refusal } = await untilRefused(() => {
      from += 1;
      return ask('GET /auth/getSavedSchools', `203.0.113.${from}`, user.token);
    });
    expect(answered).toBe(4);
    expect(refusal).toMatchObject({ status: 429, body: BY_USER });
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = await createUser(product);
    expect((await ask('GET /auth/getSavedSchools', '203.0.113.99', other.token)).status).toBe(200);
  });

  test('RATE_LIMIT=off lifts it, and a page that is refused says so as a page', async () => {
    // Each answer takes far more than the budget has, so that nothing is left for longer than the test takes.
    milliseconds = 10 * TIME_BUDGETS.address.maxMs;
    for (let count = 0; count < 5; count += 1) expect((await askUncached(here, free)).status).toBe(200);
    await untilRefused(() => askUncached());
    const { status, headers, text } = await ask('GET /allschools?q=nobody', here);
    expect([status, headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(text).toContain(BY_NETWORK.error);
  });
});
