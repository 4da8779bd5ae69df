import { describe, expect, test } from 'vitest';
import { foldSearch } from '../../src/contract/folding.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { ALTERATIONS, ALTERED_NAMES } from '../support/altered-names.ts';
import { misspell } from '../support/misspell.ts';
import { readRealUniversities } from '../support/real-names.ts';
import { indexSchools, searchIndex } from '../support/school-index.ts';

/** Thousands of searches without HTTP; tests/api/search-names.test.ts asks over HTTP. */
describe('the index of 10,251 real names', async () => {
  const universities = await readRealUniversities();
  const names = universities.map(({ name }) => name);
  const index = indexSchools(universities);
  const find = (query: string, limit: number) => searchIndex(index, query, limit).map(({ schoolName }) => schoolName);

  test('finds a name with one typo in a word of at least four letters among the first five, 97 times of 100', () => {
    const random = createRandom(14);
    const missed: string[] = [];
    let asked = 0;
    while (asked < 1_000) {
      const name = names[random.below(names.length)] ?? '';
      const typed = misspell(name, random);
      if (typed === undefined) continue;
      asked += 1;
      const found = find(typed, 5).map(foldSearch);
      if (!found.includes(foldSearch(name))) missed.push(`${typed} (${name})`);
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(30);
  });

  test('finds 190 of 200 altered names among the first three, and 17 of the 20 of each alteration', () => {
    const missed = ALTERED_NAMES.filter(({ query, name, country }) => {
      const ids = searchIndex(index, query, 3).map(({ id }) => id);
      return !ids.some((id) => universities[id - 1]?.name === name && universities[id - 1]?.country === country);
    });
    const list = missed.map(({ query, name }) => `${query} (${name})`).join('\n');
    expect(ALTERED_NAMES).toHaveLength(200);
    expect(missed.length, list).toBeLessThanOrEqual(10);
    for (const alteration of Object.keys(ALTERATIONS)) {
      const ofAlteration = missed.filter((one) => one.alteration === Number(alteration));
      expect(ofAlteration.length, `${ALTERATIONS[Number(alteration)]}\n${list}`).toBeLessThanOrEqual(3);
    }
  });

  test('finds every name first without its accents and punctuation', { timeout: 120_000 }, () => {
    const plain = (name: string) =>
      name
        .normalize('NFD')
        .replaceAll(/[\p{M}\p{P}\p{S}\p{C}]/gu, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    const alike = (name: string) => foldSearch(plain(name));
    // All names with accents or punctuation, and one in ten of the others.
    const asked = [...new Set(names)].filter((name, index) => plain(name) !== name || index % 10 === 0);
    const wrong = asked.filter((name) => alike(find(plain(name), 1)[0] ?? '') !== alike(name));
    expect(asked.length).toBeGreaterThan(3_000);
    expect(wrong).toEqual([]);
  });
});
