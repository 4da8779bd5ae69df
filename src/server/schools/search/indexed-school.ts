import { searchForms } from '../../../contract/folding.ts';
import { countryOf } from '../queries.ts';
import type { SchoolRow } from './queries.ts';

/** A school in memory, with its texts in folded forms. */
export interface IndexedSchool {
  readonly id: number;
  readonly schoolName: string;
  readonly nameKey: string;
  readonly location: string;
  readonly country: string;
  readonly name: IndexedText;
  readonly aliases: readonly IndexedText[];
  /** The words of its name and aliases in all their forms. */
  terms: readonly Term[];
  /** Its position in the list of all schools by name. */
  rank: number;
  reviewCount: number;
  halfStarSum: number;
  isBeingChecked: boolean;
}

/** A word, and the schools whose texts contain it. */
export interface Term {
  readonly text: string;
  /** Its position in the sorted list of terms. */
  index: number;
  schools: IndexedSchool[];
}

/** A name or an alias. */
interface IndexedText {
  readonly text: string;
  /** What people may type for it, the usual form first. */
  readonly forms: readonly string[];
  /** The words of its usual form. */
  terms: readonly Term[];
}

function indexText(text: string): IndexedText {
  return { text, forms: searchForms(text), terms: [] };
}

/** The school of a row, without its terms. */
export function readRow({ id, schoolName, nameKey, location, aliases }: SchoolRow): IndexedSchool {
  const texts: string[] = JSON.parse(aliases);
  return {
    id,
    schoolName,
    nameKey,
    location,
    country: countryOf(location),
    name: indexText(schoolName),
    aliases: texts.map(indexText),
    terms: [],
    rank: 0,
    reviewCount: 0,
    halfStarSum: 0,
    isBeingChecked: false,
  };
}

export function isUnchanged(school: IndexedSchool, row: SchoolRow): boolean {
  return (
    school.schoolName === row.schoolName &&
    school.location === row.location &&
    JSON.stringify(school.aliases.map(({ text }) => text)) === row.aliases
  );
}

/** Connects a school and its texts with the terms of their words. */
export function addTerms(school: IndexedSchool, termOf: (word: string) => Term): void {
  const termsOf = (forms: readonly string[]) => {
    const words = new Set(forms.flatMap((form) => form.split(' ')));
    words.delete('');
    return [...words].map(termOf);
  };
  const texts = [school.name, ...school.aliases];
  for (const text of texts) text.terms = termsOf(text.forms.slice(0, 1));
  school.terms = termsOf(texts.flatMap(({ forms }) => forms));
  for (const term of school.terms) term.schools.push(school);
}

/** The order of lists of schools. */
export function byName(one: IndexedSchool, other: IndexedSchool): number {
  if (one.nameKey === other.nameKey) return one.id - other.id;
  return one.nameKey < other.nameKey ? -1 : 1;
}
