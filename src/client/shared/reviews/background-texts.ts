import type { Relation } from '../../../contract/review-filters.ts';
import { BACKGROUND_FIELDS, type Background, type BackgroundField } from '../../../contract/reviews.ts';

/** How each relation is shown to readers. */
export const RELATION_LABELS: Readonly<Record<Relation, string>> = {
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

/** The text of each optional field: a field without one does not compile. */
const FIELD_TEXTS: Readonly<Record<BackgroundField, (background: Background) => string | undefined>> = {
  relation: ({ relation }) => relation && RELATION_LABELS[relation],
  since: yearsText,
  // The last year is shown with the first one.
  until: () => undefined,
};

/** The author's background: "Student, 2021–23". Empty when they gave none. */
export function backgroundText(review: Background): string {
  const words = BACKGROUND_FIELDS.map((field) => FIELD_TEXTS[field](review))
    .filter(Boolean)
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
