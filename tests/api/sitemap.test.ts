import { beforeAll, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import { generateData } from '../../src/server/data/generated/generate.ts';
import { call } from '../support/call.ts';
import { createSchool } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

const SCHOOLS = 2_000;
const ENTRIES_OF_EACH = 3;

const product = productOf('sqlite', { PUBLIC_URL: 'https://reviews.example' });
beforeAll(async () => {
  const size = { schools: SCHOOLS, entries: ENTRIES_OF_EACH, reviews: 10, seed: 1 };
  await generateData(product.app.database, size, () => {});
});

async function locations(path: string): Promise<string[]> {
  const { status, text } = await call(product, `GET ${path}`);
  expect(status, path).toBe(200);
  return [...text.matchAll(/<loc>https:\/\/reviews\.example([^<]+)<\/loc>/g)].map(([, location = '']) => location);
}

test('a site of many addresses has an index of parts, which name every school, list and entry', async () => {
  const parts = await locations('/sitemap.xml');
  expect(parts).toContain('/sitemap/schools/0.xml');
  expect(parts).toContain('/sitemap/entries/16000.xml');
  const all = (await Promise.all(parts.map(locations))).flat();
  const count = (pattern: RegExp) => new Set(all.filter((address) => pattern.test(address))).size;
  expect(count(/^\/school\/\d+$/)).toBe(SCHOOLS);
  expect(count(/^\/\w+review\/\d+$/)).toBe(SCHOOLS * CATEGORIES.length * ENTRIES_OF_EACH);
  expect(count(/^\/schoolreviews\/\d+\?category=\w+$/)).toBe(SCHOOLS * CATEGORIES.length);
  expect(count(/^\/(?!school\/|\w+review\/)\w+\/\d+$/)).toBe(SCHOOLS * CATEGORIES.length);
});

test('no other parts can be asked for', async () => {
  for (const path of ['/sitemap/entries/1.xml', '/sitemap/entries/15999.xml', '/sitemap/schools/16000.xml']) {
    expect((await call(product, `GET ${path}`)).status, path).toBe(404);
  }
});

test('what is added is named from then on', async () => {
  const { id } = await createSchool(product);
  expect(await locations('/sitemap/schools/0.xml')).toContain(`/school/${id}`);
});
