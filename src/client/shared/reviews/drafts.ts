import type { ProposedReview } from '../../../contract/proposals.ts';
import {
  type BackgroundInputs,
  backgroundInputs,
  backgroundOfInputs,
  findYearProblem,
  type OwnReview,
} from '../../../contract/reviews.ts';
import type { Problem } from '../../form.ts';

/** A review that has not been posted yet. */
export interface Draft extends BackgroundInputs {
  rating: number;
  review: string;
  isAnonymous: boolean;
}

export const EMPTY_DRAFT: Draft = { rating: 0, review: '', isAnonymous: false, ...backgroundInputs({}) };

/** One's own review as its form has it. */
export function draftOf(own: OwnReview): Draft {
  const { rating, review, username } = own;
  return { rating, review, isAnonymous: username === undefined, ...backgroundInputs(own) };
}

/** Whether one's own review has become what is in this draft: the server trims texts and composes letters (NFC). */
export function isStored(own: OwnReview, draft: Draft): boolean {
  const written = { ...draft, review: draft.review.trim().normalize('NFC') };
  return Object.entries(draftOf(own)).every(([name, value]) => value === written[name as keyof Draft]);
}

/** Whether an optional review was begun. */
export const isBegun = ({ rating, review }: Draft) => rating > 0 || review.trim() !== '';

/** The review of a proposal, if it was begun. */
export function proposedReview(draft: Draft): { review?: ProposedReview } {
  const { rating, review, isAnonymous } = draft;
  return isBegun(draft) ? { review: { rating, review, isAnonymous, ...backgroundOfInputs(draft) } } : {};
}

/** The validation error of a review: the first, in the order of the fields. */
export function findProblems(draft: Draft): Problem[] {
  if (draft.rating === 0) return [{ field: 'rating', text: 'Please choose a rating.' }];
  if (draft.review.trim() === '') return [{ field: 'review', text: 'Please write your review.' }];
  const wrongYear = findYearProblem(backgroundOfInputs(draft), new Date().getUTCFullYear());
  return wrongYear ? [{ field: wrongYear.field, text: wrongYear.sentence }] : [];
}
