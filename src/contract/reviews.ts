import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { type Category, perCategory } from './categories.ts';
import { addedField, CategoryField, Id, IdParams, Instant, pageQuery, SchoolId, text } from './fields.ts';
import { RELATIONS, SORTS } from './review-filters.ts';
import { RATING_MAX, RATING_MIN, RATING_STEP } from './stars.ts';

export const REVIEW_MAX = 5_000;

/** The name shown for a review without a username. */
export const ANONYMOUS = 'Anonymous';

const Rating = Type.Number({
  title: 'The rating',
  minimum: RATING_MIN,
  maximum: RATING_MAX,
  multipleOf: RATING_STEP,
  says: `The rating must be ${RATING_MIN} to ${RATING_MAX} stars in steps of ${RATING_STEP}.`,
});

const ReviewText = text({ title: 'The review', max: REVIEW_MAX });

const RELATION_TITLE = { title: 'The relation' };

/** The relation in a filter. Here an empty value is an error; in a review it means no relation. */
export const Relation = Type.Enum([...RELATIONS], RELATION_TITLE);

/** The first allowed year. The last one is the current year. */
export const YEAR_MIN = 1950;

const sayYear = (title: string) => `${title} must be a whole year from ${YEAR_MIN} to this one.`;

/** A year of the author at the school. `findYearProblem` checks that it is not in the future. */
const year = (title: string) =>
  Type.Optional(Type.Integer({ title, minimum: YEAR_MIN, says: sayYear(title), isBlankAbsent: true }));

const FIRST_YEAR_TITLE = 'The first year';
const LAST_YEAR_TITLE = 'The last year';

/**
 * The optional data about the author. Absent, null and empty mean the same. Bodies, answers, columns and statements are
 * derived from these fields.
 */
export const backgroundProperties = {
  relation: Type.Optional(Type.Enum([...RELATIONS], { ...RELATION_TITLE, isBlankAbsent: true })),
  since: year(FIRST_YEAR_TITLE),
  /** If only `since` is given, the author is still there. */
  until: year(LAST_YEAR_TITLE),
};

const Background = Type.Object(backgroundProperties);
export type Background = Type.Static<typeof Background>;
export type BackgroundField = keyof Background;

export const BACKGROUND_FIELDS = Object.keys(backgroundProperties) as readonly BackgroundField[];

/** The fields as text inputs have them: an empty text for an absent value. */
export type BackgroundInputs = Record<BackgroundField, string>;

export function backgroundInputs(background: Background): BackgroundInputs {
  return Object.fromEntries(
    BACKGROUND_FIELDS.map((field) => [field, String(background[field] ?? '')]),
  ) as BackgroundInputs;
}

/**
 * Converts the inputs of a form to the values of the call. An impossible value is sent unchanged, so that the server
 * refuses it.
 */
export function backgroundOfInputs(inputs: BackgroundInputs): Background {
  const values = BACKGROUND_FIELDS.filter((field) => inputs[field] !== '').map((field) => {
    const schema: object = backgroundProperties[field];
    const isNumber = 'type' in schema && schema.type === 'integer';
    return [field, isNumber ? Number(inputs[field]) : inputs[field]];
  });
  return Object.fromEntries(values) as Background;
}

/**
 * Checks the years of a review, in the browser and on the server.
 * @param thisYear in UTC
 * @returns the error and its field
 */
export function findYearProblem(
  { since, until }: Background,
  thisYear: number,
): { field: BackgroundField; sentence: string } | undefined {
  if (since !== undefined && since > thisYear) return { field: 'since', sentence: sayYear(FIRST_YEAR_TITLE) };
  if (until === undefined) return undefined;
  if (until > thisYear) return { field: 'until', sentence: sayYear(LAST_YEAR_TITLE) };
  if (since === undefined) {
    return { field: 'since', sentence: `${FIRST_YEAR_TITLE} is missing.` };
  }
  if (until < since) return { field: 'until', sentence: 'The last year must not be before the first.' };
  return undefined;
}

/** The content of a review without its author. */
export const reviewProperties = {
  id: Id,
  review: ReviewText,
  rating: Rating,
  createdAt: Instant,
  editedAt: Type.Optional(Instant),
  ...backgroundProperties,
  /** How many people marked the review as helpful. */
  helpful: addedField(Type.Integer({ minimum: 0 })),
};

const publicProperties = {
  ...reviewProperties,
  /** Absent for an anonymous review. */
  username: Type.Optional(Type.String()),
};

/** A review as everyone sees it: the author of an anonymous review cannot be identified. */
export const Review = Type.Object(publicProperties);
export type Review = Type.Static<typeof Review>;

/** The entry and school of a review. */
export const locationProperties = {
  category: Type.String(),
  entryId: Id,
  entryName: Type.String(),
  schoolId: Id,
  schoolName: Type.String(),
};

const LocatedReview = Type.Object({ ...publicProperties, ...locationProperties });
export type LocatedReview = Type.Static<typeof LocatedReview>;

/** The answer of `getReview`. */
const SingleReview = Type.Object({
  ...LocatedReview.properties,
  /** Whether it is part of a burst that no admin has decided about yet. */
  isBeingChecked: addedField(Type.Boolean()),
});
export type SingleReview = Type.Static<typeof SingleReview>;

export const getReview = defineCall({
  name: 'getReview',
  summary: 'One review with the entry and school that it is about',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ reviewId: Id }),
  answer: SingleReview,
});

/** The maximum of `months`, the filter by age. */
const MONTHS_MAX = 120;

/** The query of an entry's list of reviews: page, order and filters. */
const ReviewListQuery = Type.Object({
  ...pageQuery(2, 3),
  sort: Type.Optional(Type.Enum([...SORTS], { title: 'The sort' })),
  /** Half stars are rounded up: 4 selects 3.5 and 4. */
  stars: Type.Optional(Type.Integer({ title: 'The stars', minimum: 1, maximum: RATING_MAX })),
  relation: Type.Optional(Relation),
  /** Only reviews of the last months. */
  months: Type.Optional(Type.Integer({ title: 'The months', minimum: 1, maximum: MONTHS_MAX })),
});
export type ReviewListQuery = Type.Static<typeof ReviewListQuery>;

const { entryId, entryName } = locationProperties;

/** A review in the list of a category. */
const CategoryReview = Type.Object({ ...publicProperties, entryId, entryName });
export type CategoryReview = Type.Static<typeof CategoryReview>;

export const getCategoryReviews = defineCall({
  name: 'getCategoryReviews',
  summary: 'Reviews of all entries of a category at a school, newest first unless sorted, page by page',
  access: 'everyone',
  refuses: [404],
  params: Type.Object({ schoolId: SchoolId }),
  query: Type.Object({ category: CategoryField, ...ReviewListQuery.properties }),
  answer: Type.Array(CategoryReview),
});

/** A review as its author sees it. */
export const OwnReview = Type.Object({
  ...publicProperties,
  userId: Id,
  /** Whether an admin has hidden the review, so that only its author sees it. */
  isHidden: Type.Boolean(),
});
export type OwnReview = Type.Static<typeof OwnReview>;

/** A review that was just posted. */
const PostedReview = Type.Object({
  ...OwnReview.properties,
  /** Whether it is the only visible review of its category at the school. */
  isFirst: addedField(Type.Boolean()),
});
export type PostedReview = Type.Static<typeof PostedReview>;

/** Absent, null or empty for an anonymous review. */
const SignedName = Type.Optional(Type.String({ title: 'The username', maxLength: 64, isBlankAbsent: true }));

/** The fields of a review that its author fills in, without the signature. */
export const unsignedProperties = { rating: Rating, review: ReviewText, ...backgroundProperties };

/** The fields of a review that its author fills in. */
const writtenProperties = { username: SignedName, ...unsignedProperties };

const WrittenReview = Type.Object(writtenProperties);
export type WrittenReview = Type.Static<typeof WrittenReview>;

/** The body of a new review, without the reference to its entry. */
const postedProperties = { userId: Type.Optional(Id), ...writtenProperties };
const NewReview = Type.Object(postedProperties);

/** The calls for the reviews of one category (spec §7, "Reviews"). */
function defineReviewCalls(category: Category) {
  const { calls, label } = category;
  const ofEntry = { access: 'everyone', params: IdParams, refuses: [404] } as const;
  return {
    list: defineCall({
      ...ofEntry,
      name: calls.reviews,
      summary: `Reviews of one ${label} entry, newest first unless sorted; the Link header leads to the next page`,
      query: ReviewListQuery,
      answer: Type.Array(Review),
    }),
    averageRating: defineCall({
      ...ofEntry,
      name: calls.averageRating,
      summary: `Mean rating of one ${label} entry; 0 without reviews`,
      answer: Type.Object({ averageRating: Type.Number() }),
    }),
    totalReviews: defineCall({
      ...ofEntry,
      name: calls.totalReviews,
      summary: `Number of reviews of one ${label} entry`,
      answer: Type.Object({ totalReviews: Type.Integer() }),
    }),
    mine: defineCall({
      ...ofEntry,
      name: calls.myReview,
      summary: `The caller's own review of one ${label} entry, or null`,
      access: 'signed-in',
      answer: Type.Union([OwnReview, Type.Null()]),
    }),
    post: defineCall({
      name: calls.postReview,
      method: 'POST',
      summary: `Review one ${label} entry`,
      access: 'signed-in',
      refuses: [404, 409],
      status: 201,
      // The name of the entry reference is a computed key, whose type TypeScript widens to any string.
      body: Type.Unsafe<Type.Static<typeof NewReview> & Record<string, unknown>>(
        Type.Object({
          [category.itemKey]: Type.Object({ id: Id }, { title: `The ${category.itemKey}` }),
          ...postedProperties,
        }),
      ),
      answer: PostedReview,
    }),
    update: defineCall({
      name: calls.updateReview,
      method: 'PUT',
      summary: `Correct one's own review of a ${label} entry`,
      access: 'signed-in',
      refuses: [404],
      body: Type.Object({ id: Id, ...writtenProperties }),
      answer: OwnReview,
    }),
    remove: defineCall({
      name: calls.removeReview,
      method: 'DELETE',
      summary: `Withdraw one's own review of a ${label} entry; an admin may delete any`,
      access: 'signed-in',
      refuses: [404],
      params: IdParams,
    }),
  };
}

/** The review calls of a category. Returns the same objects at every call. */
export const reviewCalls = perCategory(defineReviewCalls);
