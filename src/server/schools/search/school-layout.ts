import { foldAccents } from '../../../contract/folding.ts';
import { formsOf, type IndexedForm, type IndexedSchool, type Place, type Term } from './indexed-school.ts';
import { hasSynonyms, significantOf, synonymsOf } from './search-words.ts';

/**
 * Which schools have which terms, as lists of numbers one after the other. A search that finds thousands of schools
 * reads the numbers in order. Following references from school to term would take ten times as long.
 */
export interface SchoolLayout {
  /** All schools, sorted by name. The position of a school is its rank. */
  readonly schools: readonly IndexedSchool[];
  /** All terms in order. */
  readonly terms: readonly Term[];
  /** How much each term distinguishes names: the fewer schools have it or a synonym, the more it weighs. */
  readonly weights: Float32Array;
  /** The terms of each school, by their indexes. */
  readonly termsOf: Lists;
  /** The schools with each term, by their ranks. */
  readonly schoolsOf: Lists;
  /** Where the forms of each school begin: those of its name, then those of its aliases. */
  readonly formStarts: Uint32Array;
  /** Where the forms of each school's aliases begin. */
  readonly aliasStarts: Uint32Array;
  /** The significant words of each form in their order, by the indexes of their terms. */
  readonly wordsOfForms: Lists;
  /** How many words fewer each form has than the usual form of its text, because its hyphens were removed. */
  readonly joinedWords: Uint8Array;
  /** The first word of each school's name. */
  readonly firstTerms: Uint32Array;
  /** 1 for each school whose name has other forms than the one that is usually typed. */
  readonly hasOtherForms: Uint8Array;
  readonly places: readonly Place[];
  /** The place of each school, as a position in `places`. */
  readonly placeOf: Uint32Array;
  /** The places that a word names, by their positions. */
  readonly placesNamed: ReadonlyMap<string, ReadonlySet<number>>;
  /** The country of each school, as a position in `countries`. */
  readonly countryOf: Uint32Array;
  readonly countries: readonly Country[];
}

/** A country as some schools write it. */
export interface Country {
  readonly name: string;
  /** The name without case and accents. */
  readonly key: string;
}

/** Lists of numbers: list n begins at `starts[n]` and ends before `starts[n + 1]`. */
interface Lists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** How many schools are laid out in one step. Other requests are served between two steps. */
const STEP = 500;

/**
 * Makes the layout in steps, each of which ends with a `yield`.
 * @param schools their ranks and the indexes of their terms must be up to date
 */
export function* layOut(schools: readonly IndexedSchool[], terms: readonly Term[]): Generator<void, SchoolLayout> {
  const forms: IndexedForm[][] = [];
  for (const [rank, school] of schools.entries()) {
    forms.push(formsOf(school));
    if (rank % STEP === 0) yield;
  }
  const termsOf = yield* listNumbers(forms, createTermLister(terms.length));
  const schoolsOf = yield* invert(termsOf, terms);
  const wordsOfForms = yield* listNumbers(forms.flat(), ({ words }, add) => {
    for (const { index } of significantOf(words, (term) => term.isStopWord)) add(index);
  });
  const joinedWords = yield* countJoinedWords(schools, wordsOfForms);
  const formStarts = startsOf(forms);
  const aliasStarts = mapToNumbers(schools, ({ name }, rank) => (formStarts[rank] as number) + name.forms.length);
  yield;
  const weights = weightsOf(terms, schools.length);
  yield;
  const places = positionsOf(schools.map(({ place }) => place));
  yield;
  const placeOf = mapToNumbers(schools, ({ place }) => places.get(place) as number);
  yield;
  const placesNamed = placesByWord(places);
  yield;
  const countries = positionsOf(schools.map(({ place }) => place.country));
  const countryOf = mapToNumbers(schools, ({ place }) => countries.get(place.country) as number);
  yield;
  return {
    ...{ schools, terms, weights, termsOf, schoolsOf, formStarts, aliasStarts, wordsOfForms, joinedWords },
    ...{ placeOf, countryOf },
    firstTerms: mapToNumbers(schools, ({ name }) => name.forms[0]?.words[0]?.index ?? terms.length),
    hasOtherForms: Uint8Array.from(mapToNumbers(schools, ({ name }) => Number(name.forms.length > 1))),
    places: [...places.keys()],
    placesNamed,
    countries: [...countries.keys()].map((name) => ({ name, key: foldAccents(name) })),
  };
}

/** The weight of a word in the order of matches: the fewer schools have it in their names, the more it says. */
export const weightOf = (schoolsWith: number, all: number): number => Math.log(1 + all / (1 + schoolsWith));

function weightsOf(terms: readonly Term[], all: number): Float32Array {
  const weights = new Float32Array(terms.length);
  for (const { index, schoolCount } of terms) weights[index] = weightOf(schoolCount, all);
  const withSynonyms = terms.filter(({ text }) => hasSynonyms(text));
  for (const { text, index } of withSynonyms) {
    const synonyms = withSynonyms.filter((other) => synonymsOf(text).includes(other.text));
    weights[index] = weightOf(
      synonyms.reduce((sum, { schoolCount }) => sum + schoolCount, 0),
      all,
    );
  }
  return weights;
}

/** A number for each item. With `Uint32Array.from` a hundred thousand take ten times as long. */
function mapToNumbers<Item>(items: readonly Item[], numberOf: (item: Item, position: number) => number): Uint32Array {
  const numbers = new Uint32Array(items.length);
  for (let position = 0; position < items.length; position += 1)
    numbers[position] = numberOf(items[position] as Item, position);
  return numbers;
}

/** Each item once, with its position. */
function positionsOf<Item>(items: readonly Item[]): Map<Item, number> {
  return new Map([...new Set(items)].map((item, position) => [item, position]));
}

function placesByWord(places: ReadonlyMap<Place, number>): Map<string, Set<number>> {
  const named = new Map<string, Set<number>>();
  for (const [{ words }, position] of places) {
    for (const word of words) {
      const others = named.get(word);
      if (others) others.add(position);
      else named.set(word, new Set([position]));
    }
  }
  return named;
}

function startsOf(lists: readonly (readonly unknown[])[]): Uint32Array {
  const starts = new Uint32Array(lists.length + 1);
  for (const [position, { length }] of lists.entries()) starts[position + 1] = (starts[position] as number) + length;
  return starts;
}

/** Makes a list of numbers for each item. @param list adds the numbers of an item */
function* listNumbers<Item>(
  items: readonly Item[],
  list: (item: Item, add: (value: number) => void) => void,
): Generator<void, Lists> {
  const starts = new Uint32Array(items.length + 1);
  const values: number[] = [];
  const add = (value: number) => void values.push(value);
  for (const [position, item] of items.entries()) {
    list(item, add);
    starts[position + 1] = values.length;
    if (position % STEP === 0) yield;
  }
  return { starts, values: Uint32Array.from(values) };
}

function* countJoinedWords(
  schools: readonly IndexedSchool[],
  { starts }: Lists,
): Generator<void, SchoolLayout['joinedWords']> {
  const joined = new Uint8Array(starts.length - 1);
  const lengthOf = (form: number) => (starts[form + 1] as number) - (starts[form] as number);
  let form = 0;
  for (const [rank, { name, aliases }] of schools.entries()) {
    for (const { forms } of [name, ...aliases]) {
      const usual = lengthOf(form);
      for (const end = form + forms.length; form < end; form += 1) joined[form] = Math.max(0, usual - lengthOf(form));
    }
    if (rank % STEP === 0) yield;
  }
  return joined;
}

/** Lists for each term the ranks of the schools whose lists have it. */
function* invert({ starts: startsOfSchools, values: listed }: Lists, terms: readonly Term[]): Generator<void, Lists> {
  const starts = new Uint32Array(terms.length + 1);
  for (const [index, { schoolCount }] of terms.entries()) starts[index + 1] = (starts[index] as number) + schoolCount;
  yield;
  const values = new Uint32Array(listed.length);
  const next = starts.slice();
  for (let rank = 0; rank + 1 < startsOfSchools.length; rank += 1) {
    const end = startsOfSchools[rank + 1] as number;
    for (let at = startsOfSchools[rank] as number; at < end; at += 1) {
      const index = listed[at] as number;
      const place = next[index] as number;
      values[place] = rank;
      next[index] = place + 1;
    }
    if (rank % STEP === 0) yield;
  }
  return { starts, values };
}

/** Lists the terms of a school's forms, each once. */
function createTermLister(count: number) {
  /** The number of the school that listed each term last. A set for each of ten thousand schools would take longer. */
  const listedBy = new Uint32Array(count);
  let school = 0;
  return (forms: readonly IndexedForm[], add: (value: number) => void) => {
    school += 1;
    for (const { words } of forms) {
      for (const { index } of words) {
        if (listedBy[index] !== school) add(index);
        listedBy[index] = school;
      }
    }
  };
}
