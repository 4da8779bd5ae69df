import { type TypedBackground, typeBackground } from '../../../contract/reviews.ts';
import type { Owner } from '../../session.ts';

/** What somebody has begun to write. */
export interface Draft extends TypedBackground {
  rating: number;
  review: string;
  isAnonymous: boolean;
}

export const EMPTY_DRAFT: Draft = { rating: 0, review: '', isAnonymous: false, ...typeBackground({}) };

/** In memory, so that going away to log in loses nothing; only the token goes into storage (spec §3). */
const drafts = new Map<Owner, Map<string, Draft>>();

/** @param form which form it was typed into */
export function readDraft(owner: Owner, form: string): Draft | undefined {
  return drafts.get(owner)?.get(form);
}

export function keepDraft(owner: Owner, form: string, draft: Draft): void {
  const own = drafts.get(owner) ?? new Map<string, Draft>();
  drafts.set(owner, own.set(form, draft));
}

export function dropDraft(owner: Owner, form: string): void {
  drafts.get(owner)?.delete(form);
}

/** Gives what a visitor typed to the user that they log in as, and to nobody after that. */
export function adoptDrafts(userId: number): void {
  const typed = drafts.get(null) ?? new Map<string, Draft>();
  for (const [form, draft] of typed) keepDraft(userId, form, draft);
  drafts.delete(null);
}

/** Forgets every draft: who logs out leaves nothing to the next user of the tab. */
export function forgetDrafts(): void {
  drafts.clear();
}
