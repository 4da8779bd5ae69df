import { foldAccents, foldSearch, searchForms } from '../../../contract/folding.ts';
import { countryOf } from '../queries.ts';
import type { SchoolRow } from './queries.ts';
import { placeWords, wordsOf } from './search-words.ts';

/** A school in memory, with its texts in folded forms. */
export interface IndexedSchool {
  readonly id: number;
  readonly schoolName: string;
  readonly sortKey: string;
  readonly place: Place;
  readonly name: IndexedText;
  readonly aliases: readonly IndexedText[];
  /** Its position in the list of all schools by name. */
  rank: number;
  reviewCount: number;
  halfStarSum: number;
  isBeingChecked: boolean;
}

/** A location. Schools at the same location share the object. */
export interface Place {
  readonly location: string;
  readonly country: string;
  /** The words by which people name the place. */
  readonly words: readonly string[];
}

/** A word of names and aliases. */
export interface Term {
  readonly text: string;
  /** Whether it is a word such as "of", which counts only in texts that have no other words. */
  readonly isStopWord: boolean;
  /** Its position in the sorted list of terms. */
  index: number;
  /** How many schools have texts that contain it. */
  schoolCount: number;
}

/** A name or an alias, in the forms that people may type for it, the usual one first. */
export interface IndexedText {
  readonly text: string;
  readonly forms: readonly IndexedForm[];
}

/** A form of a text, folded, with its words in order. */
export interface IndexedForm {
  readonly folded: string;
  readonly words: readonly Term[];
}

type TermOf = (word: string) => Term;

function indexText(text: string, termOf: TermOf): IndexedText {
  const forms = searchForms(text).map((form) => {
    // Equal texts share their memory.
    const folded = form === text ? text : form;
    return { folded, words: wordsOf(folded).map(termOf) };
  });
  return { text, forms };
}

export function readPlace(location: string): Place {
  const country = countryOf(location);
  return { location, country, words: placeWords(foldSearch(location), foldAccents(country)) };
}

/**
 * The databases sort by code point, but `<` by UTF-16 unit: a letter of two units, such as "𠮷", would come before "ﬁ".
 * Moves the units so that the order of the keys is that of the databases.
 */
function sortKeyOf(nameKey: string): string {
  return nameKey.replaceAll(/[\ud800-\uffff]/g, (unit) =>
    String.fromCharCode(unit.charCodeAt(0) + (unit < '\ue000' ? 0x2000 : -0x800)),
  );
}

/** Makes the school of a row, and adds it to the school counts of its terms. */
export function indexSchool(row: SchoolRow, place: Place, termOf: TermOf): IndexedSchool {
  const { id, schoolName } = row;
  const name = indexText(schoolName, termOf);
  const aliases = (JSON.parse(row.aliases) as string[]).map((alias) => indexText(alias, termOf));
  const key = sortKeyOf(row.nameKey);
  const sortKey = name.forms.find(({ folded }) => folded === key)?.folded ?? key;
  const names = { id, schoolName, sortKey, place, name, aliases };
  const school = { ...names, rank: 0, reviewCount: 0, halfStarSum: 0, isBeingChecked: false };
  for (const term of termsOf(school)) term.schoolCount += 1;
  return school;
}

/** The forms of a school's name, then those of its aliases. */
export const formsOf = ({ name, aliases }: IndexedSchool): IndexedForm[] =>
  [name, ...aliases].flatMap(({ forms }) => forms);

/** The words of a school's name and aliases in all their forms, each once. */
export const termsOf = (school: IndexedSchool): Set<Term> => new Set(formsOf(school).flatMap(({ words }) => words));

export function isUnchanged(school: IndexedSchool, row: SchoolRow): boolean {
  return (
    school.schoolName === row.schoolName &&
    school.place.location === row.location &&
    JSON.stringify(school.aliases.map(({ text }) => text)) === row.aliases
  );
}

/** The order of lists of schools. */
export function byName(one: IndexedSchool, other: IndexedSchool): number {
  if (one.sortKey === other.sortKey) return one.id - other.id;
  return one.sortKey < other.sortKey ? -1 : 1;
}
