import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { findClosest } from '../../src/server/schools/search/closest-names.ts';
import { COSTLY_SEARCHES } from '../support/costly-searches.ts';
import { readRealUniversities } from '../support/real-names.ts';
import { indexSchools, searchIndex } from '../support/school-index.ts';

/** Comparisons of letters, terms and schools. They take less than 2 ms; 5 ms are allowed. */
const COMPARISONS_MAX = 230_000;

describe('the work of a search among 10,251 names', async () => {
  const index = indexSchools(await readRealUniversities());
  const random = createRandom(21);

  /** The most comparisons that one of twenty searches takes. */
  function mostWork(makeText: (typeof COSTLY_SEARCHES)[string], search: (text: string) => void): number {
    const works = Array.from({ length: 20 }, () => {
      const before = index.comparisons;
      search(makeText(random));
      return index.comparisons - before;
    });
    return Math.max(...works);
  }

  test.each(Object.entries(COSTLY_SEARCHES))('is limited for %s', (_kind, makeText) => {
    const search = (text: string) => searchIndex(index, text);
    expect(mostWork(makeText, search)).toBeLessThan(COMPARISONS_MAX);
  });

  test.each(Object.entries(COSTLY_SEARCHES))('is limited for a proposed name of %s', (_kind, makeText) => {
    expect(mostWork(makeText, (text) => findClosest(index, text))).toBeLessThan(COMPARISONS_MAX);
  });

  test('is counted', () => {
    const search = (text: string) => searchIndex(index, text);
    expect(mostWork(() => `zyx${random.below(1_000)}`, search)).toBeGreaterThan(100);
  });
});
