import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made by `npm run confusables`: a line for each look, with the letters that have it. */
export const LOOK_ALIKES_FILE = join(import.meta.dirname, 'look-alikes.txt');

/** Accents of letters; the marks of Japanese syllables are part of the letter. */
const ACCENTS = /(?!\u3099|\u309a)\p{Script=Zinh}/gu;

/** Letters without case, accents and typographic variants, such as those of full width. */
export const foldLetters = (text: string) => text.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase();

let lookAlikes: ReadonlyMap<string, string> | undefined;

/** The file of 8 kB is read only when the first name needs it. */
function readLookAlikes(): ReadonlyMap<string, string> {
  // The first line says where they come from.
  const lines = readFileSync(LOOK_ALIKES_FILE, 'utf8').trimEnd().split('\n').slice(1);
  return new Map(
    lines.flatMap((line) => {
      const [look = '', letters = ''] = line.split(' ');
      return [...letters].map((letter) => [letter, look] as const);
    }),
  );
}

/**
 * What a username looks like: names with the same skeleton can be confused. It is the skeleton of UTS 39
 * without case, accents and `_-.`, with 0 as o, and 1, i and l as one letter.
 */
export function skeletonOf(username: string): string {
  lookAlikes ??= readLookAlikes();
  const letters = foldLetters(username).replaceAll(/[_.-]/g, '');
  return Array.from(letters, (letter) => lookAlikes?.get(letter) ?? letter)
    .join('')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l');
}
