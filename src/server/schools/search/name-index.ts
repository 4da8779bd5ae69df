import { setImmediate } from 'node:timers/promises';
import {
  byName,
  type IndexedSchool,
  indexSchool,
  isUnchanged,
  type Place,
  readPlace,
  termsOf,
} from './indexed-school.ts';
import type { SchoolRow } from './queries.ts';
import { layOut, type SchoolLayout } from './school-layout.ts';
import { createTextMatches } from './text-matches.ts';
import { createVocabulary } from './vocabulary.ts';

/** An index of the words in names and aliases. */
export type NameIndex = ReturnType<typeof createNameIndex>;

export function createNameIndex() {
  const schools = new Map<number, IndexedSchool>();
  /** The places by their locations. Those of schools that are gone stay until the next layout. */
  let places = new Map<string, Place>();
  const vocabulary = createVocabulary();
  let compared = 0;
  /** Undefined when it must be made anew before the next search. */
  let currentLayout: SchoolLayout | undefined;

  function* layOutAnew(): Generator<void, SchoolLayout> {
    const terms = yield* vocabulary.sortInSteps();
    if (currentLayout?.terms === terms) return currentLayout;
    yield;
    const all = [...schools.values()].sort(byName);
    for (const [rank, school] of all.entries()) school.rank = rank;
    yield;
    currentLayout = yield* layOut(all, terms);
    places = new Map(currentLayout.places.map((place) => [place.location, place]));
    return currentLayout;
  }

  /** All schools and terms in order. */
  function layout(): SchoolLayout {
    const steps = layOutAnew();
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
  }

  function placeOf(location: string): Place {
    const place = places.get(location) ?? readPlace(location);
    places.set(location, place);
    return place;
  }

  /** Invalidates the layout and the cache of typed words, which depend on the terms of the schools. */
  function invalidate(): void {
    currentLayout = undefined;
    vocabulary.clearCache();
  }

  function drop(id: number): void {
    const school = schools.get(id);
    if (!school) return;
    schools.delete(id);
    invalidate();
    for (const term of termsOf(school)) term.schoolCount -= 1;
  }

  function addComparisons(count: number): void {
    compared += count;
  }

  return {
    get size(): number {
      return schools.size;
    },
    /** How many letters, terms and schools have been compared so far: the work that searches took. */
    get comparisons(): number {
      return vocabulary.comparisons + compared;
    },
    addComparisons,
    ids: () => schools.keys(),
    /** Adds or replaces a school. An unchanged school stays as it is. */
    put(row: SchoolRow): IndexedSchool {
      const before = schools.get(row.id);
      if (before && isUnchanged(before, row)) return before;
      drop(row.id);
      const school = indexSchool(row, placeOf(row.location), vocabulary.termOf);
      schools.set(row.id, school);
      invalidate();
      vocabulary.sortIfMany();
      return school;
    },
    drop,
    layout,
    /** Makes the layout in steps, between which other requests are served. Nothing may be changed meanwhile. */
    async prepare(): Promise<void> {
      for (const _step of layOutAnew()) await setImmediate();
    },
    matchWords: vocabulary.matchWords,
    /** The schools that match a folded text. */
    find: (text: string) => createTextMatches(text, vocabulary.matchWords(text), layout(), addComparisons),
  };
}
