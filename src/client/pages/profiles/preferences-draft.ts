// Apart from the form, of which a logout on any page needs nothing else.

import type { Preferences } from './preferences-form.ts';

/** In memory: what was typed when the session ended, for its writer alone, to be there again after logging in. */
let draft: { userId: number; preferences: Preferences } | undefined;

export function keepDraft(userId: number, preferences: Preferences): void {
  draft = { userId, preferences };
}

export function readDraft(userId: number): Preferences | undefined {
  return draft?.userId === userId ? draft.preferences : undefined;
}

export function forgetPreferences(): void {
  draft = undefined;
}
