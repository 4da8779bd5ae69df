import type { Relation } from '../../../contract/review-filters.ts';
import { BACKGROUND_FIELDS, type Background, type BackgroundField } from '../../../contract/reviews.ts';

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

/** The words for each optional field: a field without any does not compile. */
const FIELD_WORDS: Readonly<Record<BackgroundField, (background: Background) => string | undefined>> = {
  relation: ({ relation }) => relation && RELATION_WORDS[relation],
  since: yearsText,
  // The last year is shown with the first one.
  until: () => undefined,
};

/** What the author says of themselves: "Student, 2021–23". Empty when they say nothing. */
export function backgroundText(review: Background): string {
  const words = BACKGROUND_FIELDS.map((field) => FIELD_WORDS[field](review))
    .filter(Boolean)
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
