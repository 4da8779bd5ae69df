import { foldAccents, foldSearch } from '../../../contract/folding.ts';
import { byName, type IndexedSchool, type Term } from './indexed-school.ts';
import type { SchoolLayout } from './school-layout.ts';
import { createSchoolTerms, type SchoolTerms } from './school-terms.ts';
import { markSchools } from './text-matches.ts';
import { similarityOf } from './typos.ts';
import type { TypedWord } from './vocabulary.ts';

/** How many names an admin has to compare at most. */
const CLOSEST_MAX = 5;
/** A word in more names than this is too common to distinguish them: "university". */
const COMMON_SHARE = 0.05;
const COMMON_MIN = 5;
/** How close a name must be, from 0 to 1. Below it, names have a rare word in common and mean different schools. */
const CLOSE_MIN = 0.5;
/** The weight of a word that no name has: it may be a branch or a part that others leave out. */
const UNKNOWN_SHARE = 0.5;
/** By how much a school of the same country is closer. */
const SAME_COUNTRY = 0.15;

/** How many words of a name are compared: a bit for each. Nothing with more words is a name. */
const WORDS_MAX = 31;

/** A word of the typed name. */
interface WeighedWord extends TypedWord {
  /** How much it distinguishes names: a word weighs more if fewer names have it. */
  readonly weight: number;
  /** How alike it and other words are. Filled as they are compared. */
  readonly similarities: Map<Term, number>;
}

/** Compares a typed name with others: the share of the weight of both that they have in common. */
type Compare = (own: readonly Term[]) => number;

/**
 * The schools with the closest names or aliases, closest first. Word by word in any order, apart from typos; what one
 * name has and the other one lacks makes them less close.
 */
export function findClosest(index: SchoolTerms, name: string, country = ''): IndexedSchool[] {
  const text = foldSearch(name);
  if (text === '') return [];
  const weightOf = (schools: number) => Math.log(1 + index.size / (1 + schools));
  const { schools, terms, schoolsOf, countries, countryOf } = index.layout();
  const typed = index.readWords(text).slice(0, WORDS_MAX);
  const words = typed.map((word) => weigh(word, terms, weightOf));
  const candidates = findCandidates(words, schoolsOf, schools.length);
  const compare = createCompare(words, terms, weightOf);
  const countryKey = foldAccents(country);
  let compared = 0;
  const found: { school: IndexedSchool; closeness: number }[] = [];
  for (let rank = 0; rank < schools.length; rank += 1) {
    if (candidates[rank] === 0) continue;
    const school = schools[rank] as IndexedSchool;
    compared += 1 + school.aliases.length;
    let closeness = compare(school.name.terms);
    for (const alias of school.aliases) closeness = Math.max(closeness, compare(alias.terms));
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

function weigh(word: TypedWord, terms: readonly Term[], weightOf: (schools: number) => number): WeighedWord {
  // The first term of the range is the word itself, if there is such a term.
  const first = terms[word.from];
  const schools = first?.text === word.text ? first.schools.length : word.schools;
  const share = word.schools === 0 ? UNKNOWN_SHARE : 1;
  return { ...word, weight: share * weightOf(schools), similarities: new Map() };
}

/** The schools that have one of the distinctive words, or one of all words if none is distinctive, by their ranks. */
function findCandidates(words: readonly WeighedWord[], schoolsOf: SchoolLayout['schoolsOf'], size: number): Uint8Array {
  const telling = words.filter(({ schools }) => schools <= Math.max(COMMON_MIN, size * COMMON_SHARE));
  const marks = new Uint8Array(size);
  for (const word of telling.length > 0 ? telling : words) markSchools(word, schoolsOf, size, marks);
  return marks;
}

function createCompare(
  words: readonly WeighedWord[],
  terms: readonly Term[],
  weightOf: (schools: number) => number,
): Compare {
  const typedWeight = words.reduce((sum, { weight }) => sum + weight, 0);
  const marks = markTerms(words, terms.length);
  return (own) => {
    let present = 0;
    let ownWeight = 0;
    for (const { index, schools } of own) {
      present |= marks[index] as number;
      ownWeight += weightOf(schools.length);
    }
    if (present === 0) return 0;
    let shared = 0;
    let left = own;
    for (const [position, word] of words.entries()) {
      if (!(present & (1 << position))) continue;
      const best = findMostSimilar(word, left, (index) => ((marks[index] as number) & (1 << position)) !== 0);
      if (!best) continue;
      left = left.filter((term) => term !== best.term);
      shared += best.similarity ** 2 * (word.weight + weightOf(best.term.schools.length));
    }
    return shared / (typedWeight + ownWeight);
  };
}

/** Which words each term matches: a bit for each word. */
function markTerms(words: readonly TypedWord[], count: number): Uint32Array {
  const marks = new Uint32Array(count);
  for (const [position, { from, to, misspelt }] of words.entries()) {
    const bit = 1 << position;
    for (let index = from; index < to; index += 1) marks[index] = (marks[index] as number) | bit;
    for (const { index } of misspelt) marks[index] = (marks[index] as number) | bit;
  }
  return marks;
}

function findMostSimilar(
  { text, similarities }: WeighedWord,
  terms: readonly Term[],
  isClose: (index: number) => boolean,
) {
  let best: { term: Term; similarity: number } | undefined;
  for (const term of terms) {
    if (!isClose(term.index)) continue;
    const similarity = similarities.get(term) ?? similarityOf(text, term.text);
    similarities.set(term, similarity);
    if (!best || similarity > best.similarity) best = { term, similarity };
  }
  return best;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Indexes a list of names. @returns a function that finds the names closest to another one */
export function indexNames(names: readonly Named[]): (name: string) => Named[] {
  const terms = createSchoolTerms();
  for (const { id, name } of names) {
    terms.put({ id, schoolName: name, nameKey: foldAccents(name), location: '', aliases: '[]' });
  }
  return (name) => findClosest(terms, name).map(({ id, schoolName }) => ({ id, name: schoolName }));
}
