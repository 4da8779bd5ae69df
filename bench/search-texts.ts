import { foldSearch } from '../src/contract/folding.ts';
import { createRandom } from '../src/server/data/generated/random.ts';
import { readRealUniversities } from '../tests/support/real-names.ts';

const TEXTS = 1_200;

/** What people type on their way to a name, no two texts alike: a beginning, a word, a word with a wrong letter. */
export async function makeSearchTexts(): Promise<string[]> {
  const { below } = createRandom(14);
  const universities = await readRealUniversities();
  const texts = new Set<string>();
  while (texts.size < TEXTS) {
    const name = foldSearch(universities[below(universities.length)]?.name ?? '');
    const words = name.split(' ');
    const word = words[below(words.length)] ?? '';
    const at = below(word.length);
    const wrong = `${word.slice(0, at)}${'aeiorst'[below(7)]}${word.slice(at + 1)}`;
    texts.add([name.slice(0, 1 + below(name.length)), word, wrong][below(3)]?.trim() ?? '');
  }
  texts.delete('');
  return [...texts];
}
