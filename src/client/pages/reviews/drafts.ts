/** What somebody has begun to write. */
export interface Draft {
  rating: number;
  review: string;
  isAnonymous: boolean;
}

export const EMPTY_DRAFT: Draft = { rating: 0, review: '', isAnonymous: false };

/** In memory, so that going away to log in loses nothing; only the token goes into storage (spec §3). */
const drafts = new Map<string, Draft>();

/** @param address of the page that the draft belongs to */
export function readDraft(address: string): Draft {
  return drafts.get(address) ?? EMPTY_DRAFT;
}

export function keepDraft(address: string, draft: Draft): void {
  drafts.set(address, draft);
}

export function dropDraft(address: string): void {
  drafts.delete(address);
}
