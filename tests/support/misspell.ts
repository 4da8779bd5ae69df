import type { Random } from '../../src/server/data/generated/random.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One letter wrong, missing, extra or swapped inside a word; undefined for a name without a word that is long enough. */
export function misspell(name: string, random: Random): string | undefined {
  const { below } = random;
  const words = [...name.matchAll(/\p{L}{4,}/gu)];
  const word = words[below(words.length)];
  if (!word) return undefined;
  const letters = [...name];
  // Inside: the first letter and the last are right.
  const index = word.index + 1 + below(word[0].length - 2);
  const letter = LETTERS[below(LETTERS.length)] ?? '';
  const kind = below(4);
  if (kind === 0) letters[index] = letter;
  else if (kind === 1) letters.splice(index, 1);
  else if (kind === 2) letters.splice(index, 0, letter);
  else letters.splice(index - 1, 2, letters[index] ?? '', letters[index - 1] ?? '');
  return letters.join('');
}
