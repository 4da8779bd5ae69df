import type { ProposedReview } from '../../../contract/proposals.ts';
import {
  type BackgroundInputs,
  backgroundInputs,
  backgroundOfInputs,
  findYearProblem,
} from '../../../contract/reviews.ts';
import type { Problem } from '../../form-problem.ts';

/** A review that has not been posted yet. */
export interface Draft extends BackgroundInputs {
  rating: number;
  review: string;
  isAnonymous: boolean;
}

export const EMPTY_DRAFT: Draft = { rating: 0, review: '', isAnonymous: false, ...backgroundInputs({}) };

/** Whether an optional review was begun. */
export const isBegun = ({ rating, review }: Draft) => rating > 0 || review.trim() !== '';

/** The review of a proposal, if it was begun. */
export function proposedReview(draft: Draft): { review?: ProposedReview } {
  const { rating, review, isAnonymous } = draft;
  return isBegun(draft) ? { review: { rating, review, isAnonymous, ...backgroundOfInputs(draft) } } : {};
}

/** What keeps a review from being sent: the first error, in the order of the fields. */
export function findProblems(draft: Draft): Problem[] {
  if (draft.rating === 0) return [{ field: 'rating', text: 'Please choose a rating.' }];
  if (draft.review.trim() === '') return [{ field: 'review', text: 'Please write your review.' }];
  const wrongYear = findYearProblem(backgroundOfInputs(draft), new Date().getUTCFullYear());
  return wrongYear ? [{ field: wrongYear.field, text: wrongYear.sentence }] : [];
}
