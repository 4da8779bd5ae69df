import { expect, test } from 'vitest';
import { CATEGORIES } from '../../src/contract/categories.ts';
import type { Preferences, Recommendation } from '../../src/contract/profiles.ts';
import { call } from '../support/call.ts';
import { captureQueries } from '../support/plans.ts';
import type { Product } from '../support/product.ts';
import { createRatedEntry } from '../support/ratings.ts';
import { createSchool, createUser } from '../support/rows.ts';
import { describeProduct } from '../support/site.ts';

/** Saves a profile. @returns a function that asks for a recommendation */
async function recommendFor(product: Product, preferences: Partial<Preferences>) {
  const { token } = await createUser(product);
  await call(product, 'POST /auth/postProfile', { token, body: preferences });
  const headers = { Accept: 'application/json' };
  return async (): Promise<Recommendation> =>
    (await call(product, 'POST /auth/recommendSchool', { token, body: {}, headers })).body;
}

/** Posts the same reviews in every category of a school. */
async function reviewEverywhere(product: Product, schoolId: number, ratings: number[], review: string) {
  for (const category of CATEGORIES) await createRatedEntry(product, category, schoolId, ratings, { review });
}

describeProduct('a recommendation among long reviews on %s', (product) => {
  test('quotes whole words of their first thousand characters, where seven share the room in the index', async () => {
    const school = await createSchool(product, 'Thallus College');
    const filler = 'calm and green and '.repeat(45);
    const review = `${filler}. The xylem lab is old. ${'Thallus all over the place. '.repeat(40)}The phloem lab is new.`;
    await reviewEverywhere(product, school.id, [4], review);
    const ask = await recommendFor(product, { major: 'thallus', goals: 'xylem', living: 'phloem' });
    const { school: chosen, evidence } = await ask();
    expect(chosen.id).toBe(school.id);
    const quotesOf = (field: string) => evidence.find((item) => item.field === field)?.quotes.map(({ quote }) => quote);
    expect(quotesOf('goals')?.[0]).toMatch(/^The xylem lab is old\.( (Thallus|all|over|the|place\.))+$/);
    expect(quotesOf('living')).toEqual([]);
  });

  test('of which none is evidence, stops looking for some after ten schools', async () => {
    const review = 'qbk dog qck dog '.repeat(312);
    for (let number = 1; number <= 20; number += 1) {
      const { id } = await createSchool(product);
      await reviewEverywhere(product, id, [4, 4, 4], review);
    }
    const ask = await recommendFor(product, { goals: 'qbk. no dog', living: 'qck qbk. no dog' });
    await ask();
    const queries = await captureQueries(async () => {
      expect((await ask()).text).toContain('Nothing here speaks to your wishes.');
    });
    const readings = queries.filter(({ text }) => text.includes('"newest"'));
    expect(readings.length).toBeGreaterThan(5);
    // Ten, and the best rated school.
    expect(readings.length).toBeLessThanOrEqual(11);
  });
});
