import { beforeAll, expect, test } from 'vitest';
import { callAddress } from '../../src/contract/call.ts';
import { CATEGORIES, type Category } from '../../src/contract/categories.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { call } from '../support/call.ts';
import { createReviewedEntry } from '../support/many-reviews.ts';
import { readMetric } from '../support/metrics.ts';
import { createSchool } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

const [category] = CATEGORIES as [Category];
const LIST_BYTES = 60 * 1_000;

const product = productOf('sqlite', { CACHE_MB: '1' });
let school: number;
let reviews: string;

beforeAll(async () => {
  school = (await createSchool(product)).id;
  const entry = await createReviewedEntry(product, category, 60, () => ({ review: 'x'.repeat(1_000) }));
  reviews = callAddress(reviewCalls(category).list, { params: { id: entry.id } });
});

/** How many of some addresses are not cached. */
async function missesOf(addresses: readonly string[]): Promise<number> {
  const before = await readMetric(product, 'cached_response_misses_total');
  for (const address of addresses) expect((await call(product, `GET ${address}`)).status).toBe(200);
  return (await readMetric(product, 'cached_response_misses_total')) - before;
}

test.each([
  ['cursors', (index: number) => `${reviews}?before=${Date.now()}-${index + 1_000_000}`],
  ['filters', (index: number) => `${reviews}?sort=oldest&limit=${100 - (index % 100)}&before=0-${index}`],
])('invented %s of one call push nothing of others out of a full cache', async (_kind, addressOf) => {
  const read = [`/auth/getSchool/${school}`, `/school/${school}`, '/auth/schools', '/landing'];
  await missesOf(read);
  expect(await missesOf(read)).toBe(0);
  const invented = Array.from({ length: 60 }, (_, index) => addressOf(index));
  expect(await missesOf(invented)).toBe(invented.length);
  expect(invented.length * LIST_BYTES).toBeGreaterThan(3 * 1024 * 1024);
  expect(await missesOf(read)).toBe(0);
});
