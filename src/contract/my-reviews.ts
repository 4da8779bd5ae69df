import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { ReviewEvent } from './events.ts';
import { Id, Instant, pageQuery, text } from './fields.ts';
import { locationProperties, Review } from './reviews.ts';

export const APPEAL_MAX = 2_000;

/** A review as its author sees it in their own list, hidden or not. */
export const MyReview = Type.Object({
  ...Review.properties,
  ...locationProperties,
  isHidden: Type.Boolean(),
  /** Whether its author withdrew it while it was hidden, so that they cannot post another, or a merge superseded it. */
  isWithdrawn: Type.Boolean(),
  /** Whether an admin has deleted its entry or school, and can still restore it. */
  isDeleted: Type.Boolean(),
  /** Oldest first. */
  events: Type.Array(ReviewEvent),
});
export type MyReview = Type.Static<typeof MyReview>;

export const getMyReviews = defineCall({
  name: 'getMyReviews',
  summary: "The caller's own reviews, hidden ones too, newest first, each with what happened to it",
  access: 'signed-in',
  query: Type.Object(pageQuery(2)),
  answer: Type.Array(MyReview),
});

export const appealReview = defineCall({
  name: 'appealReview',
  method: 'POST',
  summary:
    "Ask the admins to look again at one's own hidden review; once each time it is hidden, and once more after an edit",
  access: 'signed-in',
  refuses: [403, 404, 409],
  status: 201,
  params: Type.Object({ reviewId: Id }),
  body: Type.Object({ text: text({ title: 'The appeal', max: APPEAL_MAX }) }),
  answer: Type.Object({ reviewId: Id, text: Type.String(), createdAt: Instant }),
});

export const MY_REVIEW_CALLS = [getMyReviews, appealReview];
