import { foldAccents, foldSearch } from '../../contract/folding.ts';
import { byName, type IndexedSchool, type Term } from './indexed-school.ts';
import { createSchoolTerms, type SchoolTerms } from './school-terms.ts';
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

/** A word of the typed name. */
interface WeighedWord extends TypedWord {
  /** How much it distinguishes names: a word weighs more if fewer names have it. */
  readonly weight: number;
  /** How alike it and other words are. Filled as they are compared. */
  readonly similarities: Map<Term, number>;
}

/** Compares a typed name with others. */
type Compare = (own: readonly Term[]) => number;

/**
 * The schools with the closest names or aliases, closest first. Word by word in any order, apart from typos; what one
 * name has and the other one lacks makes them less close.
 */
export function findClosest(terms: SchoolTerms, name: string, country = ''): IndexedSchool[] {
  const text = foldSearch(name);
  if (text === '') return [];
  const weightOf = (schools: number) => Math.log(1 + terms.size / (1 + schools));
  const words = terms.readWords(text).map((word) => weigh(word, weightOf));
  const compare = createCompare(words, weightOf);
  const countryKey = foldAccents(country);
  const found: { school: IndexedSchool; closeness: number }[] = [];
  for (const school of findCandidates(words, terms.size)) {
    const closeness = Math.max(...[school, ...school.aliases].map(({ forms }) => compare(termsOf(school, forms))));
    if (closeness < CLOSE_MIN) continue;
    found.push({ school, closeness: closeness + (school.countryKey === countryKey ? SAME_COUNTRY : 0) });
  }
  return found
    .sort((one, other) => other.closeness - one.closeness || byName(one.school, other.school))
    .slice(0, CLOSEST_MAX)
    .map(({ school }) => school);
}

function weigh(word: TypedWord, weightOf: (schools: number) => number): WeighedWord {
  const itself = [...word.close].find(({ text }) => text === word.text);
  const share = word.schools === 0 ? UNKNOWN_SHARE : 1;
  return { ...word, weight: share * weightOf(itself ? itself.schools.length : word.schools), similarities: new Map() };
}

/** The schools that have one of the distinctive words, or one of all words if none is distinctive. */
function findCandidates(words: readonly WeighedWord[], size: number): Set<IndexedSchool> {
  const telling = words.filter(({ schools }) => schools <= Math.max(COMMON_MIN, size * COMMON_SHARE));
  const close = (telling.length > 0 ? telling : words).flatMap((word) => [...word.close]);
  return new Set(close.flatMap(({ schools }) => schools));
}

/** The terms of one of a school's texts: its name or an alias. */
function termsOf({ terms }: IndexedSchool, [form = '']: readonly string[]): Term[] {
  const words = new Set(form.split(' '));
  return terms.filter(({ text }) => words.has(text));
}

/** @returns a function that says how close a text is: the share of the weight of both that they have in common */
function createCompare(words: readonly WeighedWord[], weightOf: (schools: number) => number): Compare {
  const typedWeight = words.reduce((sum, { weight }) => sum + weight, 0);
  return (own) => {
    const left = new Set(own);
    let shared = 0;
    for (const word of words) {
      const best = findMostSimilar(word, left);
      if (!best) continue;
      left.delete(best.term);
      shared += best.similarity ** 2 * (word.weight + weightOf(best.term.schools.length));
    }
    return shared / (typedWeight + own.reduce((sum, { schools }) => sum + weightOf(schools.length), 0));
  };
}

function findMostSimilar({ text, close, similarities }: WeighedWord, terms: Iterable<Term>) {
  let best: { term: Term; similarity: number } | undefined;
  for (const term of terms) {
    if (!close.has(term)) continue;
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
