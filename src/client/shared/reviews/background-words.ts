import type { Relation } from '../../../contract/review-filters.ts';
import type { Background } from '../../../contract/reviews.ts';

/** How each relation is shown to readers. */
export const RELATION_WORDS: Readonly<Record<Relation, string>> = {
  student: 'Student',
  alumnus: 'Alumnus',
  parent: 'Parent',
  educator: 'Educator',
};

/** The years in their shortest form: "2021–23", "2021", "since 2021". */
function yearsText({ since, until }: Background): string | undefined {
  if (since === undefined) return undefined;
  if (until === undefined) return `since ${since}`;
  if (since === until) return `${since}`;
  const isSameCentury = Math.floor(since / 100) === Math.floor(until / 100);
  return `${since}–${isSameCentury ? String(until).slice(2) : until}`;
}

/** The author's relation and years: "Student, 2021–23". Empty when neither is given. */
export function backgroundText(review: Background): string {
  const words = [review.relation && RELATION_WORDS[review.relation], yearsText(review)].filter(Boolean).join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
