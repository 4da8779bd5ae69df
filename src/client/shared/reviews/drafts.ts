import { findYearProblem, readBackground, type TypedBackground, typeBackground } from '../../../contract/reviews.ts';
import type { Problem } from '../../form-problem.ts';
import type { Owner } from '../../session.ts';

/** A review that has not been posted yet. */
export interface Draft extends TypedBackground {
  rating: number;
  review: string;
  isAnonymous: boolean;
}

export const EMPTY_DRAFT: Draft = { rating: 0, review: '', isAnonymous: false, ...typeBackground({}) };

/** What keeps a review from being sent: the first error, in the order of the fields. */
export function findProblems(draft: Draft): Problem[] {
  if (draft.rating === 0) return [{ field: 'rating', text: 'Please choose a rating.' }];
  if (draft.review.trim() === '') return [{ field: 'review', text: 'Please write your review.' }];
  const wrongYear = findYearProblem(readBackground(draft), new Date().getUTCFullYear());
  return wrongYear ? [{ field: wrongYear.field, text: wrongYear.sentence }] : [];
}

/** In memory, so that a draft survives the way to the login page; storage is for the token only (spec §3). */
const drafts = new Map<Owner, Map<string, Draft>>();

/** @param form the key of the form that the draft was typed into */
export function readDraft(owner: Owner, form: string): Draft | undefined {
  return drafts.get(owner)?.get(form);
}

export function saveDraft(owner: Owner, form: string, draft: Draft): void {
  const own = drafts.get(owner) ?? new Map<string, Draft>();
  drafts.set(owner, own.set(form, draft));
}

export function deleteDraft(owner: Owner, form: string): void {
  drafts.get(owner)?.delete(form);
}

/** Moves a visitor's drafts to the user that they log in as. The visitor's own list is then empty. */
export function moveDraftsTo(userId: number): void {
  const typed = drafts.get(null) ?? new Map<string, Draft>();
  for (const [form, draft] of typed) saveDraft(userId, form, draft);
  drafts.delete(null);
}

/** Deletes every draft. After a logout the next user of the tab must not see them. */
export function clearDrafts(): void {
  drafts.clear();
}
