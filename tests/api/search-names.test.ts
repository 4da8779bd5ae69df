import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changes } from '../../src/server/cache/tags.ts';
import { importSchools } from '../../src/server/schools/queries.ts';
import { call } from '../support/call.ts';
import { type Product, startProduct } from '../support/product.ts';
import { HAS_REAL_NAMES, REAL_ALIASES, REAL_QUERIES, readRealUniversities } from '../support/real-names.ts';

/** The index is the same on both engines; tests/api/search.test.ts asks both. */
describe.runIf(HAS_REAL_NAMES)('the search of 10,251 real names', () => {
  let product: Product;
  const names = HAS_REAL_NAMES ? readRealUniversities().map(({ name }) => name) : [];

  beforeAll(async () => {
    product = await startProduct('sqlite');
    const schools = readRealUniversities().map(({ name, country }, index) => ({
      schoolName: name,
      description: 'Real.',
      location: country,
      aliases: REAL_ALIASES[name] ?? [],
      importKey: String(index),
      hasSite: true,
    }));
    await product.app.database.write(async (db, commit) => {
      for (let start = 0; start < schools.length; start += 500)
        await importSchools(db, schools.slice(start, start + 500));
      commit.invalidate(...changes.schoolsAdded);
    });
  });
  afterAll(() => product.stop());

  async function find(query: string, limit: number): Promise<string[]> {
    const { status, body } = await call(
      product,
      `GET /auth/searchSchools?${new URLSearchParams({ q: query, limit: String(limit) })}`,
    );
    expect(status).toBe(200);
    return body.schools.map(({ schoolName }: { schoolName: string }) => schoolName);
  }

  test('has at least sixty queries written out by hand, about names that are there', () => {
    expect(REAL_QUERIES.length).toBeGreaterThanOrEqual(60);
    const there = new Set(names);
    expect(REAL_QUERIES.filter(({ first }) => !there.has(first))).toEqual([]);
  });

  test.each(REAL_QUERIES)('finds $first first by "$query"', async ({ query, first, never }) => {
    const found = await find(query, 100);
    expect(found[0]).toBe(first);
    for (const name of never) expect(found).not.toContain(name);
  });
});
