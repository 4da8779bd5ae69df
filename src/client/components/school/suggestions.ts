import { beginsWith, type FoldedName, foldName } from '../../../contract/folding.ts';
import type { SchoolName } from '../../../contract/schools.ts';

/** How many schools are suggested at most (spec §9). */
export const SUGGESTIONS_MAX = 5;

/** The names of a list in their folded forms, computed once for each list. */
const foldedLists = new WeakMap<readonly SchoolName[], readonly FoldedName[]>();

function foldNames(schools: readonly SchoolName[]): readonly FoldedName[] {
  const known = foldedLists.get(schools);
  if (known) return known;
  const folded = schools.map(({ schoolName }) => foldName(schoolName));
  foldedLists.set(schools, folded);
  return folded;
}

/**
 * At most five schools whose name begins with the typed text, ignoring case. If there are fewer, schools follow whose
 * name begins with it when accents are ignored too.
 */
export function suggestSchools(schools: readonly SchoolName[], typed: string): SchoolName[] {
  const folded = foldNames(schools);
  const beginning = foldName(typed);
  const found: SchoolName[] = [];
  const alike: SchoolName[] = [];
  for (const [index, school] of schools.entries()) {
    if (found.length === SUGGESTIONS_MAX) break;
    const match = folded[index] && beginsWith(folded[index], beginning);
    if (match === 'exactly') found.push(school);
    else if (match === 'alike' && alike.length < SUGGESTIONS_MAX) alike.push(school);
  }
  return [...found, ...alike].slice(0, SUGGESTIONS_MAX);
}

/**
 * The beginning of a suggested name that the typed text stands for. It may be shorter or longer than what was typed:
 * "strasse" stands for "Straße", and an accent may be typed as a character of its own.
 */
export function matchedBeginning(name: string, typed: string): string {
  const beginning = foldName(typed);
  let matched = '';
  for (const [letter] of name.matchAll(/.\p{M}*/gsu)) {
    if (beginsWith(foldName(matched), beginning)) break;
    matched += letter;
  }
  return matched;
}
