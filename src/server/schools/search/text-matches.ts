import type { Match } from '../../../contract/search.ts';
import type { IndexedSchool, Term } from './indexed-school.ts';
import type { SchoolLayout } from './school-layout.ts';
import { TYPO_WORDS_MAX, type TypedWord } from './vocabulary.ts';

/** The schools that match a text. */
export interface TextMatches {
  /**
   * Calls back for each school, sorted by name within each kind of match. Of the schools that match with typos, only
   * those with the fewest misspelt words count: "Lane Colllge" finds Lane College, but not Lake College.
   */
  forEach(onMatch: (rank: number, match: Match) => void): void;
  /** The alias by which a school was found; undefined when its name alone has every word. */
  aliasOf(school: IndexedSchool, match: Match): string | undefined;
}

/** From this bit on, a mark says that a term begins with a word apart from typos; below it, exactly. */
const TYPO_BITS = TYPO_WORDS_MAX;
/** The school lacks one of the words. */
const LACKS = -1;

/**
 * Compares a text with all schools.
 * @param text folded
 * @param words of the text
 * @param onCompared is called with the number of schools that were compared
 */
export function createTextMatches(
  text: string,
  words: readonly TypedWord[],
  { schools, terms, termsOf, schoolsOf, firstTerms, hasOtherTexts }: SchoolLayout,
  onCompared: (comparisons: number) => void,
): TextMatches {
  // The rarest first: the schools that have it are compared with the other words, where most lack the next.
  const rarestFirst = words.toSorted((one, other) => one.schools - other.schools);
  const [rarest] = rarestFirst;
  const misspelt = words.filter((word) => word.misspelt.length > 0);
  const exact = rarestFirst.filter((word) => word.misspelt.length === 0 && word !== rarest);
  const marks = markTerms(misspelt, terms.length);
  const everyWord = (1 << misspelt.length) - 1;

  /** How many of the words a school has with typos alone. */
  function countMisspelt(rank: number): number {
    const { starts, values } = termsOf;
    const [start, end] = [starts[rank] as number, starts[rank + 1] as number];
    let found = 0;
    for (let at = start; at < end; at += 1) found |= marks[values[at] as number] as number;
    if (((found | (found >> TYPO_BITS)) & everyWord) !== everyWord) return LACKS;
    for (const { from, to } of exact) {
      let at = start;
      while (at < end && !((values[at] as number) >= from && (values[at] as number) < to)) at += 1;
      if (at === end) return LACKS;
    }
    return countBits(everyWord & ~found);
  }

  /** How a school matches that has every word of the text without a typo. */
  function matchOf(rank: number): Match {
    const { from = 0, to = 0 } = words[0] ?? {};
    const first = firstTerms[rank] as number;
    const canBegin = first >= from && first < to;
    if (!canBegin && hasOtherTexts[rank] === 0) return 'word';
    const { aliases, name } = schools[rank] as IndexedSchool;
    if (aliases.some(({ forms }) => forms.includes(text))) return 'alias';
    return name.forms[0]?.startsWith(text) || name.forms.includes(text) ? 'prefix' : 'word';
  }

  /** Whether one of some terms matches a word. */
  function isAmong(given: readonly Term[], word: TypedWord, allowsTypos: boolean): boolean {
    if (given.some(({ index }) => index >= word.from && index < word.to)) return true;
    const bit = 1 << (TYPO_BITS + misspelt.indexOf(word));
    return allowsTypos && word.misspelt.length > 0 && given.some(({ index }) => (marks[index] as number) & bit);
  }

  return {
    forEach(onMatch) {
      if (!rarest || rarest.schools === 0) return;
      const candidates = markSchools(rarest, schoolsOf, schools.length);
      let compared = rarest.schools;
      let fewest = words.length;
      let withTypos: number[] = [];
      for (let rank = 0; rank < schools.length; rank += 1) {
        if (candidates[rank] === 0) continue;
        const count = countMisspelt(rank);
        compared += 1;
        if (count === 0) {
          onMatch(rank, matchOf(rank));
        } else if (count !== LACKS && count <= fewest) {
          if (count < fewest) withTypos = [];
          fewest = count;
          withTypos.push(rank);
        }
      }
      for (const rank of withTypos) onMatch(rank, 'typo');
      onCompared(compared);
    },
    aliasOf({ name, aliases, terms: own }, match) {
      if (match === 'prefix' || aliases.length === 0) return undefined;
      if (match === 'alias') return aliases.find(({ forms }) => forms.includes(text))?.text;
      const isIn = (word: TypedWord, forms: readonly string[]) => isAmong(termsIn(own, forms), word, match === 'typo');
      const missing = words.filter((word) => !isIn(word, name.forms));
      if (missing.length === 0) return undefined;
      return aliases.find(({ forms }) => missing.some((word) => isIn(word, forms)))?.text;
    },
  };
}

/** How each term matches some words. */
function markTerms(words: readonly TypedWord[], count: number): Uint16Array {
  const marks = new Uint16Array(count);
  for (const [position, { from, to, misspelt }] of words.entries()) {
    for (let index = from; index < to; index += 1) marks[index] = (marks[index] as number) | (1 << position);
    const bit = 1 << (TYPO_BITS + position);
    for (const { index } of misspelt) marks[index] = (marks[index] as number) | bit;
  }
  return marks;
}

/** Marks the schools that have a word, by their ranks. */
export function markSchools(
  { from, to, misspelt }: TypedWord,
  { starts, values }: SchoolLayout['schoolsOf'],
  count: number,
  marks = new Uint8Array(count),
): Uint8Array {
  const mark = (first: number, last: number) => {
    const end = starts[last] as number;
    for (let at = starts[first] as number; at < end; at += 1) marks[values[at] as number] = 1;
  };
  mark(from, to);
  for (const { index } of misspelt) mark(index, index + 1);
  return marks;
}

/** The terms of some forms of a school's text. */
function termsIn(own: readonly Term[], forms: readonly string[]): Term[] {
  const words = new Set(forms.flatMap((form) => form.split(' ')));
  return own.filter(({ text }) => words.has(text));
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left > 0; left &= left - 1) count += 1;
  return count;
}
