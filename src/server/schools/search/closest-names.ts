import { foldAccents, foldSearch } from '../../../contract/folding.ts';
import { byName, type IndexedSchool, type Term } from './indexed-school.ts';
import { createNameIndex, type NameIndex } from './name-index.ts';
import { addCandidates, forEachTerm } from './query-words.ts';
import { type SchoolLayout, weightOf } from './school-layout.ts';
import { isAbbreviation, synonymsOf } from './search-words.ts';
import { similarityOf } from './typos.ts';
import type { TypedWord } from './vocabulary.ts';

/** How many names an admin has to compare at most. */
const CLOSEST_MAX = 5;
/** A word in more names than this is too common to distinguish them: "university". */
const COMMON_WORD_SHARE = 0.05;
const COMMON_WORD_MIN = 5;
/** How close a name must be, from 0 to 1. Below it, names have a rare word in common and mean different schools. */
const CLOSE_MIN = 0.5;
/** A word that no name has keeps this share of its weight: it may be a branch or a part that others leave out. */
const UNKNOWN_SHARE = 0.5;
/** The bonus for a school of the same country. */
const SAME_COUNTRY = 0.15;

/** How many words of a name are compared at most: each has a bit of a number. */
const WORDS_MAX = 31;

/** A word of the typed name. */
interface WeighedWord extends TypedWord {
  /** How much it distinguishes names: a word weighs more if fewer names have it. */
  readonly weight: number;
  /** The similarity of each term that was compared with the word, from 0 to 1. */
  readonly similarities: Map<Term, number>;
}

/**
 * The schools with the closest names or aliases, closest first. Names are compared word by word, in any order and with
 * typos. A word that only one of two names has makes them less close.
 */
export function findClosest(index: NameIndex, name: string, country = ''): IndexedSchool[] {
  const text = foldSearch(name);
  if (text === '') return [];
  const layout = index.layout();
  const { schools, schoolsOf, countries, countryOf, formStarts } = layout;
  const words = index
    .matchWords(text)
    .slice(0, WORDS_MAX)
    .map((word) => weigh(word, index.size));
  const candidates = findCandidates(words, schoolsOf, schools.length);
  const closenessOf = closenessTo(words, layout);
  const countryKey = foldAccents(country);
  let compared = 0;
  const found: { school: IndexedSchool; closeness: number }[] = [];
  for (let rank = 0; rank < schools.length; rank += 1) {
    if (candidates[rank] === 0) continue;
    const school = schools[rank] as IndexedSchool;
    const end = formStarts[rank + 1] as number;
    let closeness = 0;
    const start = formStarts[rank] as number;
    for (let form = start; form < end; form += 1) closeness = Math.max(closeness, closenessOf(form));
    compared += end - start;
    if (closeness < CLOSE_MIN) continue;
    const isSameCountry = countries[countryOf[rank] as number]?.key === countryKey;
    found.push({ school, closeness: closeness + (isSameCountry ? SAME_COUNTRY : 0) });
  }
  index.addComparisons(compared);
  return found
    .sort((one, other) => other.closeness - one.closeness || byName(one.school, other.school))
    .slice(0, CLOSEST_MAX)
    .map(({ school }) => school);
}

function weigh(word: TypedWord, all: number): WeighedWord {
  const share = word.schoolCount === 0 ? UNKNOWN_SHARE : 1;
  return { ...word, weight: share * weightOf(word.frequency, all), similarities: new Map() };
}

/** The schools that have one of the distinctive words, or one of all words if none is distinctive, by their ranks. */
function findCandidates(words: readonly WeighedWord[], schoolsOf: SchoolLayout['schoolsOf'], size: number): Uint8Array {
  const distinctive = words.filter((word) => word.schoolCount <= Math.max(COMMON_WORD_MIN, size * COMMON_WORD_SHARE));
  const candidates = new Uint8Array(size);
  for (const word of distinctive.length > 0 ? distinctive : words) addCandidates(word, schoolsOf, candidates);
  return candidates;
}

/**
 * Makes the function that compares a name or alias, given by the position of its form, with a name of these words. It
 * returns the share of the weight in common.
 */
function closenessTo(
  words: readonly WeighedWord[],
  { terms, wordsOfForms, weights }: SchoolLayout,
): (form: number) => number {
  const typedWeight = words.reduce((sum, { weight }) => sum + weight, 0);
  const masks = createMasks(words, terms.length);
  const heaviestFirst = words
    .map(({ weight }, position) => ({ weight, bit: 1 << position }))
    .sort((one, other) => other.weight - one.weight);
  return (form) => {
    const { starts, values } = wordsOfForms;
    const [start, end] = [starts[form] as number, starts[form + 1] as number];
    let present = 0;
    let ownWeight = 0;
    let matched = 0;
    let matchedTerms = 0;
    for (let at = start; at < end; at += 1) {
      const index = values[at] as number;
      const weight = weights[index] as number;
      ownWeight += weight;
      if (masks[index] === 0) continue;
      present |= masks[index] as number;
      matched += weight;
      matchedTerms += 1;
    }
    const whole = typedWeight + ownWeight;
    // Makes `matched` an upper bound of what both share: most names are passed over without comparing their letters.
    for (const { bit, weight } of heaviestFirst) {
      if (matchedTerms === 0) break;
      if ((present & bit) === 0) continue;
      matched += weight;
      matchedTerms -= 1;
    }
    if (matched < CLOSE_MIN * whole) return 0;
    const own = Array.from(values.subarray(start, end), (index) => terms[index] as Term);
    if (!own.some(({ text }) => mayStandAlone(text, words))) return 0;
    let shared = 0;
    let open = own;
    for (const [position, word] of words.entries()) {
      if (!(present & (1 << position))) continue;
      const best = findMostSimilar(word, open, (index) => ((masks[index] as number) & (1 << position)) !== 0);
      if (!best) continue;
      open = open.filter((term) => term !== best.term);
      shared += best.similarity ** 2 * (word.weight + (weights[best.term.index] as number));
    }
    return shared / whole;
  };
}

/** "UNI" and "U of U" as whole names are abbreviations of their own, and not short for "university". */
const mayStandAlone = (text: string, words: readonly TypedWord[]) =>
  !isAbbreviation(text) || words.some((word) => word.text === text);

/** The words that each term matches: a bit for each word. */
function createMasks(words: readonly TypedWord[], count: number): Uint32Array {
  const masks = new Uint32Array(count);
  for (const [position, word] of words.entries()) {
    forEachTerm(word, (index) => {
      masks[index] = (masks[index] as number) | (1 << position);
    });
  }
  return masks;
}

function findMostSimilar(
  { text, similarities }: WeighedWord,
  terms: readonly Term[],
  isClose: (index: number) => boolean,
) {
  let best: { term: Term; similarity: number } | undefined;
  for (const term of terms) {
    if (!isClose(term.index)) continue;
    const similarity =
      similarities.get(term) ?? (synonymsOf(text).includes(term.text) ? 1 : similarityOf(text, term.text));
    similarities.set(term, similarity);
    if (!best || similarity > best.similarity) best = { term, similarity };
  }
  return best;
}

export interface NamedItem {
  readonly id: number;
  readonly name: string;
}

/** Indexes a list of names. @returns a function that finds the names closest to another one */
export function indexNames(names: readonly NamedItem[]): (name: string) => NamedItem[] {
  const index = createNameIndex();
  for (const { id, name } of names) {
    index.put({ id, schoolName: name, nameKey: foldAccents(name), location: '', aliases: '[]' });
  }
  return (name) => findClosest(index, name).map(({ id, schoolName }) => ({ id, name: schoolName }));
}
