import { beforeAll, describe, expect, test } from 'vitest';
import type { FoundSchool } from '../../src/contract/search.ts';
import { CATALOGUE } from '../../src/server/data/imports/import-file.ts';
import { call } from '../support/call.ts';
import { runCommand } from '../support/command.ts';
import { REAL_QUERIES, readRealUniversities } from '../support/real-names.ts';
import { productOf } from '../support/site.ts';

/** The index is the same on both engines; tests/api/search.test.ts asks both. */
describe('the search of 10,251 real names', () => {
  const product = productOf('sqlite');
  let names: ReadonlySet<string>;

  beforeAll(async () => {
    const { code } = await runCommand('import', [CATALOGUE], { DATA_DIR: product.dataDir });
    expect(code).toBe(0);
    names = new Set((await readRealUniversities()).map(({ name }) => name));
  });

  async function find(query: string, limit: number): Promise<FoundSchool[]> {
    const { status, body } = await call(
      product,
      `GET /auth/searchSchools?${new URLSearchParams({ q: query, limit: String(limit) })}`,
    );
    expect(status).toBe(200);
    return body.schools;
  }

  test('has at least sixty queries written out by hand, about names that are there', () => {
    expect(REAL_QUERIES.length).toBeGreaterThanOrEqual(60);
    expect(REAL_QUERIES.filter(({ first, never }) => ![first, ...never].every((name) => names.has(name)))).toEqual([]);
  });

  test.each(REAL_QUERIES)('finds $first first by "$query"', async ({ query, first, never }) => {
    const found = await find(query, 100);
    expect(found[0]?.schoolName).toBe(first);
    const matching = found.filter(({ match }) => match !== 'close').map(({ schoolName }) => schoolName);
    for (const name of never) expect(matching).not.toContain(name);
  });
});
