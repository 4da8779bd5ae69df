import { expect, test } from 'vitest';
import { foldSearch } from '../../src/contract/folding.ts';
import { createRandom } from '../../src/server/data/generated/random.ts';
import { findCloseTerms, isClose, sortTerms } from '../../src/server/schools/search/typos.ts';
import { misspell } from '../support/misspell.ts';
import { readRealUniversities } from '../support/real-names.ts';

test('the words close to a typed one are found among all others exactly if each is close to it alone', async () => {
  const names = (await readRealUniversities()).flatMap(({ name, aliases }) => [name, ...aliases]);
  const words = [...new Set(names.flatMap((name) => foldSearch(name).split(' ')))].filter(Boolean);
  const terms = sortTerms(words.filter((_, index) => index % 6 === 0));
  const random = createRandom(27);
  let close = 0;
  for (let count = 0; count < 40; count += 1) {
    const word = terms.texts[random.below(terms.texts.length)] ?? '';
    const typed = random.below(3) === 0 ? word : (misspell(word, random) ?? word);
    if (typed.length < 4) continue;
    for (const typos of [1, 2]) {
      const found: string[] = [];
      findCloseTerms(terms, typed, typos, (index) => found.push(terms.texts[index] as string));
      expect(found, typed).toEqual(terms.texts.filter((term) => isClose(term, typed, typos)));
      close += found.length;
    }
  }
  expect(close).toBeGreaterThan(40);
});
