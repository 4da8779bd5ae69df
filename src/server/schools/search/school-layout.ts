import { foldAccents } from '../../../contract/folding.ts';
import type { IndexedSchool, Term } from './indexed-school.ts';

/**
 * Which schools have which terms, as lists of numbers one behind the other: a search that finds thousands of schools
 * reads them in order, where following references from school to term takes ten times as long.
 */
export interface SchoolLayout {
  /** All schools, sorted by name. The position of a school is its rank. */
  readonly schools: readonly IndexedSchool[];
  /** All terms in order. */
  readonly terms: readonly Term[];
  /** The terms of each school, by their indexes. */
  readonly termsOf: Lists;
  /** The schools with each term, by their ranks. */
  readonly schoolsOf: Lists;
  /** The first term of each school's name. */
  readonly firstTerms: Uint32Array;
  /** 1 for each school that can be found by other texts than its name as it is usually typed. */
  readonly hasOtherTexts: Uint8Array;
  /** The country of each school, as a position in `countries`. */
  readonly countryOf: Uint32Array;
  readonly countries: readonly Country[];
}

/** A country as some schools write it. */
export interface Country {
  readonly name: string;
  /** Without case and accents. */
  readonly key: string;
}

/** Lists of numbers: list n begins at `starts[n]` and ends before `starts[n + 1]`. */
interface Lists {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** @param schools whose ranks and whose terms' indexes are up to date */
export function layOut(schools: readonly IndexedSchool[], terms: readonly Term[]): SchoolLayout {
  const countries = [...new Set(schools.map(({ country }) => country))];
  const positions = new Map(countries.map((name, position) => [name, position]));
  return {
    schools,
    terms,
    termsOf: joinLists(
      schools,
      (school) => school.terms,
      ({ index }) => index,
    ),
    schoolsOf: joinLists(
      terms,
      (term) => term.schools,
      ({ rank }) => rank,
    ),
    firstTerms: Uint32Array.from(schools, ({ name }) => name.terms[0]?.index ?? terms.length),
    hasOtherTexts: Uint8Array.from(schools, ({ name, aliases }) => Number(name.forms.length + aliases.length > 1)),
    countryOf: Uint32Array.from(schools, ({ country }) => positions.get(country) as number),
    countries: countries.map((name) => ({ name, key: foldAccents(name) })),
  };
}

function joinLists<Owner, Item>(
  owners: readonly Owner[],
  itemsOf: (owner: Owner) => readonly Item[],
  numberOf: (item: Item) => number,
): Lists {
  const starts = new Uint32Array(owners.length + 1);
  for (const [position, owner] of owners.entries())
    starts[position + 1] = (starts[position] as number) + itemsOf(owner).length;
  const values = new Uint32Array(starts[owners.length] as number);
  let end = 0;
  for (const owner of owners) {
    for (const item of itemsOf(owner)) {
      values[end] = numberOf(item);
      end += 1;
    }
  }
  return { starts, values };
}
