import { foldAccents, foldCase } from '../../../contract/folding.ts';
import type { SchoolName } from '../../../contract/schools.ts';

/** The number is from spec §9. */
export const SUGGESTIONS_MAX = 5;

/** The names of a list in their folded forms, computed once for each list. */
const foldedLists = new WeakMap<readonly SchoolName[], { exact: string; plain: string }[]>();

function fold(schools: readonly SchoolName[]) {
  let folded = foldedLists.get(schools);
  if (!folded) {
    folded = schools.map(({ schoolName }) => ({ exact: foldCase(schoolName), plain: foldAccents(schoolName) }));
    foldedLists.set(schools, folded);
  }
  return folded;
}

/**
 * At most five schools whose name begins with what was typed, ignoring case (spec §2). When there are fewer, names that
 * begin with it apart from accents follow: "universite" finds "Université".
 */
export function suggestSchools(schools: readonly SchoolName[], typed: string): SchoolName[] {
  const folded = fold(schools);
  const exact = foldCase(typed);
  const plain = foldAccents(typed);
  const found: SchoolName[] = [];
  const alike: SchoolName[] = [];
  for (const [index, school] of schools.entries()) {
    if (found.length === SUGGESTIONS_MAX) break;
    if (folded[index]?.exact.startsWith(exact)) found.push(school);
    else if (alike.length < SUGGESTIONS_MAX && folded[index]?.plain.startsWith(plain)) alike.push(school);
  }
  return [...found, ...alike].slice(0, SUGGESTIONS_MAX);
}
