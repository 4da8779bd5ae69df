import * as Type from 'typebox';
import { defineCall } from './call.ts';
import type { Category } from './categories.ts';
import { Id, IdParams, Instant, pageQuery, text } from './fields.ts';
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

/** What a review says, without its author. */
export const reviewProperties = {
  id: Id,
  review: ReviewText,
  rating: Rating,
  createdAt: Instant,
  editedAt: Type.Optional(Instant),
};

const publicProperties = {
  ...reviewProperties,
  /** Absent: anonymous. */
  username: Type.Optional(Type.String()),
};

/** A review as everyone sees it: the author of an anonymous one is not identifiable. */
export const Review = Type.Object(publicProperties);
export type Review = Type.Static<typeof Review>;

/** A page of reviews, newest first. */
export const ReviewListQuery = Type.Object(pageQuery(2));

/** A review as its author sees it. */
export const OwnReview = Type.Object({ ...publicProperties, userId: Id });
export type OwnReview = Type.Static<typeof OwnReview>;

/** Left out, null or empty: anonymous. */
const SignedName = Type.Optional(Type.String({ title: 'The username', maxLength: 64, isBlankAbsent: true }));

/** What posting a review carries beside the reference to its entry. */
interface ReviewFields {
  rating: number;
  review: string;
  username?: string;
  userId?: number;
}

/** The calls for the reviews of one category (spec §7, "Reviews"; contract §2, "Reviews"). */
function defineReviewCalls(category: Category) {
  const { calls, label } = category;
  const ofEntry = { access: 'everyone', method: 'GET', params: IdParams, refuses: [404] } as const;
  return {
    list: defineCall({
      ...ofEntry,
      name: calls.reviews,
      summary: `Reviews of one ${label} entry, newest first; the Link header leads to the next page`,
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
      // The key of the entry reference is computed, which TypeScript widens to any string.
      body: Type.Unsafe<ReviewFields & Record<string, unknown>>(
        Type.Object({
          [category.itemKey]: Type.Object({ id: Id }, { title: `The ${category.itemKey}` }),
          userId: Type.Optional(Id),
          username: SignedName,
          rating: Rating,
          review: ReviewText,
        }),
      ),
      answer: OwnReview,
    }),
    update: defineCall({
      name: calls.updateReview,
      method: 'PUT',
      summary: `Correct one's own review of a ${label} entry`,
      access: 'signed-in',
      refuses: [404],
      body: Type.Object({ id: Id, rating: Rating, review: ReviewText, username: SignedName }),
      answer: OwnReview,
    }),
    remove: defineCall({
      name: calls.removeReview,
      method: 'DELETE',
      summary: `Withdraw one's own review of a ${label} entry; an admin may delete any`,
      access: 'signed-in',
      refuses: [404],
      status: 204,
      params: IdParams,
    }),
  };
}

const defined = new WeakMap<Category, ReturnType<typeof defineReviewCalls>>();

/** The review calls of a category; the same objects each time. */
export function reviewCalls(category: Category) {
  const calls = defined.get(category) ?? defineReviewCalls(category);
  defined.set(category, calls);
  return calls;
}
