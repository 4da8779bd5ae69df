import { foldAccents, searchForms } from '../../contract/folding.ts';
import type { Match } from '../../contract/search.ts';
import { countryOf } from '../schools/queries.ts';
import type { SchoolRow } from './queries.ts';
import { findCloseTerms, sortTerms, typosAllowed } from './typos.ts';

/** A school in memory, with its texts in folded forms. */
export interface IndexedSchool {
  readonly id: number;
  readonly schoolName: string;
  readonly nameKey: string;
  readonly location: string;
  readonly country: string;
  /** Folded: without case and accents. */
  readonly countryKey: string;
  readonly aliases: readonly IndexedAlias[];
  readonly forms: readonly string[];
  /** The words of its name and aliases. */
  terms: readonly Term[];
  /** Its position in the list of all schools by name. */
  rank: number;
  reviewCount: number;
  halfStarSum: number;
}

/** A word, and the schools whose texts contain it. */
export interface Term {
  readonly text: string;
  /** Its position in the sorted list of terms. */
  index: number;
  schools: IndexedSchool[];
}

interface IndexedAlias {
  readonly text: string;
  readonly forms: readonly string[];
}

/** The school of a row, without its terms. */
export function readRow({ id, schoolName, nameKey, location, aliases }: SchoolRow): IndexedSchool {
  const texts: string[] = JSON.parse(aliases);
  const country = countryOf(location);
  return {
    id,
    schoolName,
    nameKey,
    location,
    country,
    countryKey: foldAccents(country),
    aliases: texts.map((text) => ({ text, forms: searchForms(text) })),
    forms: searchForms(schoolName),
    terms: [],
    rank: 0,
    reviewCount: 0,
    halfStarSum: 0,
  };
}

export function isUnchanged(school: IndexedSchool, row: SchoolRow): boolean {
  return (
    school.schoolName === row.schoolName &&
    school.location === row.location &&
    JSON.stringify(school.aliases.map(({ text }) => text)) === row.aliases
  );
}

/** Each word of the name and the aliases, once. */
export function allWordsOf({ forms, aliases }: IndexedSchool): string[] {
  const words = new Set(wordsOf([...forms, ...aliases.flatMap((alias) => alias.forms)]));
  words.delete('');
  return [...words];
}

const wordsOf = (forms: readonly string[]) => forms.flatMap((form) => form.split(' '));

/** The order of lists of schools. */
export function byName(one: IndexedSchool, other: IndexedSchool): number {
  if (one.nameKey === other.nameKey) return one.id - other.id;
  return one.nameKey < other.nameKey ? -1 : 1;
}

/** How a school matches that has every word of the text without a typo. */
export function matchOf({ aliases, forms }: IndexedSchool, text: string): Match {
  if (aliases.some((alias) => alias.forms.includes(text))) return 'alias';
  return forms[0]?.startsWith(text) || forms.includes(text) ? 'prefix' : 'word';
}

/** The alias by which a school was found; undefined when its name alone has every word. */
export function findAlias({ aliases, forms }: IndexedSchool, text: string, match: Match): string | undefined {
  if (match === 'prefix') return undefined;
  if (match === 'alias') return aliases.find((alias) => alias.forms.includes(text))?.text;
  const begins = match === 'word' ? (word: string, typed: string) => word.startsWith(typed) : isClose;
  const isIn = (typed: string, given: readonly string[]) => wordsOf(given).some((word) => begins(word, typed));
  const missing = text.split(' ').filter((typed) => !isIn(typed, forms));
  if (missing.length === 0) return undefined;
  return aliases.find((alias) => missing.some((typed) => isIn(typed, alias.forms)))?.text;
}

/** Whether a word begins with another one, apart from the allowed typos. */
function isClose(word: string, typed: string): boolean {
  if (word.startsWith(typed)) return true;
  let found = false;
  const typos = typosAllowed(typed);
  if (typos > 0) findCloseTerms(sortTerms([word]), typed, typos, () => (found = true));
  return found;
}
