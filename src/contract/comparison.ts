import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { addedField, CategoryField, Id, Mean, SchoolId } from './fields.ts';
import { COMPARED_MAX } from './pages.ts';
import { VERDICTS } from './scores.ts';
import { meanStars, toHalfStars } from './stars.ts';

const CategorySummary = Type.Object({
  category: CategoryField,
  label: Type.String(),
  entries: Type.Integer(),
  averageRating: Mean,
  totalReviews: Type.Integer(),
  recentReviews: Type.Integer(),
  isCovered: Type.Boolean(),
  isBeingChecked: addedField(Type.Boolean()),
});

/** A school with the figures of its reviews in each category, in the order of the registry. */
export const SchoolSummary = Type.Object({
  id: Id,
  schoolName: Type.String(),
  location: Type.String(),
  totalReviews: Type.Integer(),
  categories: Type.Array(CategorySummary),
  coverage: Type.Object({ covered: Type.Integer(), of: Type.Integer() }),
  /** Whether its figures count reviews that are being checked. */
  isBeingChecked: addedField(Type.Boolean()),
});
export type SchoolSummary = Type.Static<typeof SchoolSummary>;

/** The mean of all reviews of a school; null without any. */
export function overallMean({ categories, totalReviews }: SchoolSummary): number | null {
  if (totalReviews === 0) return null;
  // Converted back to whole half-stars: a mean computed from means could be rounded the other way.
  const sums = categories.map((one) => Math.round(toHalfStars(one.averageRating ?? 0) * one.totalReviews));
  return meanStars(
    sums.reduce((sum, own) => sum + own, 0),
    totalReviews,
  );
}

export const getSchoolSummary = defineCall({
  name: 'getSchoolSummary',
  summary: 'Mean and number of the reviews of one school in each category, and which categories recent reviews cover',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ schoolId: SchoolId }),
  answer: SchoolSummary,
});

const COMPARED_MIN = 2;

/** The refusal for a comparison with wrong ids. */
export const WRONG_IDS = `The ids must be ${COMPARED_MIN} to ${COMPARED_MAX} different ids of schools, separated by commas.`;

export const Comparison = Type.Object({
  /** In the order of the ids in the request. */
  schools: Type.Array(SchoolSummary),
  verdicts: Type.Array(
    Type.Object({
      category: CategoryField,
      /**
       * none: fewer than two schools are rated; few: fewer than two have enough reviews; close: no school is clearly
       * ahead.
       */
      verdict: Type.Enum([...VERDICTS]),
      /** The id of the leading school. */
      leader: Type.Optional(Id),
    }),
  ),
});
export type Comparison = Type.Static<typeof Comparison>;

export const compareSchools = defineCall({
  name: 'compareSchools',
  summary: 'Two to four schools side by side, and in which categories one of them leads',
  access: 'everyone',
  refuses: [404],
  query: Type.Object({
    ids: Type.String({
      title: 'The list of ids',
      pattern: `^[1-9]\\d{0,15}(,[1-9]\\d{0,15}){${COMPARED_MIN - 1},${COMPARED_MAX - 1}}$`,
      says: WRONG_IDS,
    }),
  }),
  answer: Comparison,
});

/** Reads the ids of a comparison. @returns undefined if one is repeated or is no number */
export function readComparedIds(text: string): number[] | undefined {
  const ids = text.split(',').map(Number);
  return ids.every(Number.isSafeInteger) && new Set(ids).size === ids.length ? ids : undefined;
}

export const COMPARISON_CALLS = [getSchoolSummary, compareSchools];
