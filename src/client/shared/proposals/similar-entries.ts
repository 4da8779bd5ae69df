import type { Category } from '../../../contract/categories.ts';
import { type Entry, entryName } from '../../../contract/entries.ts';
import { foldSearch } from '../../../contract/folding.ts';

/** The entries in whose names each typed word is the beginning of a word; all entries if nothing is typed. */
export function similarEntries(category: Category, entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = foldSearch(typed).split(' ').filter(Boolean);
  return entries.filter((entry) => {
    const own = foldSearch(entryName(category, entry)).split(' ');
    return words.every((word) => own.some((one) => one.startsWith(word)));
  });
}
