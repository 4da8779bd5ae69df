/** The word length from which one letter may be wrong, and from which two may. */
const ONE_TYPO_FROM = 4;
const TWO_TYPOS_FROM = 8;

/** Scripts in which a name is written without spaces, and a letter is a syllable or a word. */
const UNSPACED_SCRIPTS = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** How many letters of a typed word may be wrong, missing, extra or swapped. */
export function typosAllowed(word: string): number {
  if (word.length < ONE_TYPO_FROM || UNSPACED_SCRIPTS.test(word)) return 0;
  return word.length < TWO_TYPOS_FROM ? 1 : 2;
}

/** Terms that share so many first letters are a group, which is passed over at once if none of it can be close. */
const GROUP_PREFIX_LENGTH = 3;

export interface SortedTerms {
  readonly texts: readonly string[];
  /** For each term the number of leading letters that it shares with the previous one. */
  readonly shared: Uint16Array;
  /** The letters of each term as a mask, to pass over most terms that cannot be close to a word. */
  readonly letterMasks: Int32Array;
  /** The first term of each group, and the end of the last one. */
  readonly groupStarts: readonly number[];
  /** The masks of each group's terms together. */
  readonly groupMasks: Int32Array;
}

/** The letters of a word as bits, of which several letters share one. */
export function letterMaskOf(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) & 31);
  return mask;
}

export function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

function hasMoreBits(bits: number, most: number): boolean {
  let left = bits;
  for (let count = 0; count < most; count += 1) left &= left - 1;
  return left !== 0;
}

export function sortTerms(texts: readonly string[]): SortedTerms {
  const sorted = texts.toSorted();
  const shared = new Uint16Array(sorted.length);
  const groupStarts: number[] = [];
  for (let index = 0; index < sorted.length; index += 1) {
    const [one, other] = [sorted[index - 1] ?? '', sorted[index] as string];
    let length = 0;
    while (length < one.length && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
    shared[index] = length;
    if (length < GROUP_PREFIX_LENGTH) groupStarts.push(index);
  }
  groupStarts.push(sorted.length);
  const letterMasks = Int32Array.from(sorted, letterMaskOf);
  const groupMasks = new Int32Array(groupStarts.length - 1);
  for (let group = 0, index = 0; group < groupMasks.length; group += 1) {
    const end = groupStarts[group + 1] as number;
    for (; index < end; index += 1) groupMasks[group] = (groupMasks[group] as number) | (letterMasks[index] as number);
  }
  return { texts: sorted, shared, letterMasks, groupStarts, groupMasks };
}

/** The range of the terms that begin with a word: `from` is included, `to` is not. */
export function rangeOfPrefix({ texts }: SortedTerms, word: string): [from: number, to: number] {
  const first = lowerBound(texts, (text) => text < word);
  return [first, lowerBound(texts, (text) => text < word || text.startsWith(word))];
}

function lowerBound(texts: readonly string[], isBefore: (text: string) => boolean): number {
  let [from, to] = [0, texts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isBefore(texts[middle] as string)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Finds the terms that begin with the word, apart from some typos: letters that are wrong, missing, extra or swapped
 * with the next (the optimal string alignment distance). Sorted terms share prefixes, so that the table of distances is
 * continued at the first letter that differs. Once a prefix decides the result, this holds for all terms that share it.
 * @param onFound is called with the index of each such term
 * @returns how many letters were compared
 */
export function findCloseTerms(
  { texts, shared, letterMasks, groupStarts, groupMasks }: SortedTerms,
  word: string,
  typos: number,
  onFound: (index: number) => void,
): number {
  const width = word.length + 1;
  const lengthMax = word.length + typos;
  let computed = 0;
  // Row n has the distances of the term's first n letters from each prefix of the word.
  const { table, letters } = createTable(word, lengthMax);
  const least = new Uint16Array(lengthMax + 1);
  const mask = letterMaskOf(word);

  /** For how many letters of the previous term the rows are filled. */
  let filled = 0;
  let isFound = false;
  let isHopeless = false;
  /**
   * Goes back to the letters that the next term shares with the previous one. If these are all that were compared,
   * their decision holds for the next term too.
   */
  const goBackTo = (length: number) => {
    if (length >= filled) return;
    filled = length;
    isFound = false;
    isHopeless = false;
  };
  const fillTo = (text: string, end: number) => {
    while (filled < end && !isFound && !isHopeless) {
      filled += 1;
      // Prefixes whose lengths differ by more than the allowed typos are further apart than that.
      const from = Math.max(0, filled - typos);
      const to = Math.min(word.length, filled + typos);
      const smallest = fillRow(table, filled, width, letters, text, from, to);
      computed += to - from + 1;
      least[filled] = smallest;
      isFound = to === word.length && (table[filled * width + word.length] as number) <= typos;
      // A swap of two letters also depends on the row before the previous one.
      isHopeless = smallest > typos && (least[filled - 1] as number) + 1 > typos;
    }
  };
  /** Whether more letters of the word are missing than typos are allowed: a typo costs one letter at most. */
  const lacksLetters = (given: number) => hasMoreBits(mask & ~given, typos);

  /** Compares a term. @returns the end of the terms that share the deciding letters: all are close, or none is */
  function compare(index: number, end: number): number {
    const text = texts[index] as string;
    if (text.length < word.length - typos || lacksLetters(letterMasks[index] as number)) return index + 1;
    fillTo(text, Math.min(text.length, lengthMax));
    let next = index + 1;
    if (isFound || isHopeless || filled === lengthMax)
      while (next < end && (shared[next] as number) >= filled) next += 1;
    if (isFound) for (let found = index; found < next; found += 1) onFound(found);
    return next;
  }

  for (let group = 0; group < groupMasks.length; group += 1) {
    const start = groupStarts[group] as number;
    const end = groupStarts[group + 1] as number;
    goBackTo(shared[start] as number);
    if (lacksLetters(groupMasks[group] as number)) continue;
    const first = texts[start] as string;
    fillTo(first, Math.min(GROUP_PREFIX_LENGTH, first.length, lengthMax));
    if (isFound) for (let found = start; found < end; found += 1) onFound(found);
    if (isFound || isHopeless) continue;
    for (let index = start; index < end; ) {
      if (index > start) goBackTo(shared[index] as number);
      index = compare(index, end);
    }
  }
  return computed;
}

/** Whether a term begins with a word apart from some typos. */
export function isClose(term: string, word: string, typos: number): boolean {
  let isFound = false;
  findCloseTerms(sortTerms([term]), word, typos, () => {
    isFound = true;
  });
  return isFound;
}

/** A table of distances from a word, with its first row filled, for terms up to this length. */
function createTable(word: string, lengthMax: number) {
  const width = word.length + 1;
  const table = new Uint16Array((lengthMax + 1) * width);
  for (let column = 0; column < width; column += 1) table[column] = column;
  return { table, letters: Array.from({ length: word.length }, (_, index) => word.charCodeAt(index)) };
}

/** How alike two words are: the share of the letters of the longer one that are right, from 0 to 1. */
export function similarityOf(one: string, other: string): number {
  if (one === other) return 1;
  const width = one.length + 1;
  const { table, letters } = createTable(one, other.length);
  for (let depth = 1; depth <= other.length; depth += 1) fillRow(table, depth, width, letters, other, 0, one.length);
  return 1 - (table[other.length * width + one.length] as number) / Math.max(one.length, other.length);
}

/** A greater distance than that of any two words. */
const FAR_APART = 0x7fff;

/**
 * Fills the columns from `from` to `to` of a row; the columns beside them count as far away.
 * @returns the smallest distance
 */
function fillRow(
  table: Uint16Array,
  depth: number,
  width: number,
  letters: readonly number[],
  text: string,
  from: number,
  to: number,
): number {
  const row = depth * width;
  const above = row - width;
  const letter = text.charCodeAt(depth - 1);
  const before = text.charCodeAt(depth - 2);
  if (from === 0) table[row] = depth;
  else table[row + from - 1] = FAR_APART;
  if (to < width - 1) table[row + to + 1] = FAR_APART;
  let smallest = from === 0 ? depth : FAR_APART;
  for (let column = Math.max(1, from); column <= to; column += 1) {
    const wanted = letters[column - 1];
    let distance = (table[above + column - 1] as number) + (letter === wanted ? 0 : 1);
    distance = Math.min(distance, (table[above + column] as number) + 1, (table[row + column - 1] as number) + 1);
    if (depth > 1 && column > 1 && letter === letters[column - 2] && before === wanted)
      distance = Math.min(distance, (table[above - width + column - 2] as number) + 1);
    table[row + column] = distance;
    if (distance < smallest) smallest = distance;
  }
  return smallest;
}
