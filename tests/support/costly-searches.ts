import { SEARCH_TEXT_MAX } from '../../src/contract/folding.ts';
import type { createRandom } from '../../src/server/data/generated/random.ts';

type Random = ReturnType<typeof createRandom>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const COMMON = 'university college institute technology national state international sciences medical polytechnic';

const letter = ({ below }: Random) => LETTERS[below(LETTERS.length)] ?? '';

/** A word with two letters changed, never the first one. */
function misspellTwice(word: string, random: Random): string {
  const letters = [...word];
  for (let change = 0; change < 2; change += 1) letters[1 + random.below(word.length - 1)] = letter(random);
  return letters.join('');
}

/** A text as long as a search may be. */
function fillText(makeWord: () => string): string {
  let text = makeWord();
  for (let next = makeWord(); text.length + next.length < SEARCH_TEXT_MAX; next = makeWord()) text += ` ${next}`;
  return text;
}

/** Makers of texts whose search takes much work. Most make another text each time. */
export const COSTLY_SEARCHES: Readonly<Record<string, (random: Random) => string>> = {
  'the commonest word, misspelt again and again': (random) => fillText(() => misspellTwice('university', random)),
  'six words, all misspelt': (random) => Array.from({ length: 6 }, () => misspellTwice('university', random)).join(' '),
  'common words, misspelt': (random) => fillText(() => misspellTwice(random.pick(COMMON.split(' ')), random)),
  'short words, misspelt': (random) => fillText(() => `univ${letter(random)}`),
  'words that nobody has': (random) =>
    fillText(() => Array.from({ length: 8 }, () => random.pick([...'aeinrst'])).join('')),
  'single letters': (random) => fillText(() => letter(random)),
  'pairs of letters': (random) => fillText(() => letter(random) + letter(random)),
  'every beginning of a word': () => 'u un uni univ unive univer univers universi universit university',
  'one long word': (random) => misspellTwice('university'.repeat(19), random),
  'one word that most names have': () => 'university',
  'words that most names have, with the names of countries': () => 'university college us usa united states america',
  'words that no name has all of': () => 'university college institute national state technology polytechnic',
};
