import { describe, expect, test } from 'vitest';
import { foldAccents, foldSearch } from '../../src/contract/folding.ts';
import { MATCHES } from '../../src/contract/search.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { createSchoolTerms } from '../../src/server/schools/search/school-terms.ts';
import { misspell } from '../support/misspell.ts';
import { readRealUniversities } from '../support/real-names.ts';

/** Thousands of searches: past HTTP, by which tests/api/search-names.test.ts asks. */
describe('the index of 10,251 real names', async () => {
  const universities = await readRealUniversities();
  const names = universities.map(({ name }) => name);
  const terms = createSchoolTerms();
  for (const [index, { name, country, aliases }] of universities.entries()) {
    const school = { id: index + 1, schoolName: name, nameKey: foldAccents(name), location: country };
    terms.put({ ...school, aliases: JSON.stringify(aliases) });
  }

  function find(query: string, limit: number): string[] {
    const found: [match: string, name: string][] = [];
    const { schools } = terms.layout();
    terms.find(foldSearch(query)).forEach((rank, match) => {
      found.push([match, schools[rank]?.schoolName ?? '']);
    });
    return MATCHES.flatMap((wanted) => found.flatMap(([match, name]) => (match === wanted ? name : []))).slice(
      0,
      limit,
    );
  }

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

  test('finds every name first without its accents and punctuation', { timeout: 120_000 }, () => {
    const plain = (name: string) =>
      name
        .normalize('NFD')
        .replaceAll(/[\p{M}\p{P}\p{S}\p{C}]/gu, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
    const alike = (name: string) => foldSearch(plain(name));
    // One in ten of those that have neither.
    const asked = [...new Set(names)].filter((name, index) => plain(name) !== name || index % 10 === 0);
    const wrong = asked.filter((name) => alike(find(plain(name), 1)[0] ?? '') !== alike(name));
    expect(asked.length).toBeGreaterThan(3_000);
    expect(wrong).toEqual([]);
  });
});
