import * as Type from 'typebox';
import { defineCall } from './call.ts';
import { Id } from './fields.ts';
import { ReviewListQuery, reviewProperties } from './reviews.ts';

/** A review of any entry, without its author, for admins who moderate new reviews. */
export const NewestReview = Type.Object({
  ...reviewProperties,
  category: Type.String(),
  entryId: Id,
  entryName: Type.String(),
  schoolId: Id,
  schoolName: Type.String(),
  /** Its author's account was younger than 7 days when it was posted. */
  isNewAccount: Type.Boolean(),
});
export type NewestReview = Type.Static<typeof NewestReview>;

export const getNewestReviews = defineCall({
  name: 'getNewestReviews',
  method: 'GET',
  summary: 'Reviews of all categories without their authors, newest first; the Link header leads to the next page',
  access: 'admin',
  query: ReviewListQuery,
  answer: Type.Array(NewestReview),
});

export const MODERATION_CALLS = [getNewestReviews];
