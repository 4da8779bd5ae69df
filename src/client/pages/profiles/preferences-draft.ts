// A separate module, because a logout on any page needs the draft but not the form.

import type { Preferences } from './profile-form.tsx';

/** What the user had typed when the session ended. It is in memory only and is shown again only to the same user. */
let draft: { userId: number; preferences: Preferences } | undefined;

export function savePreferencesDraft(userId: number, preferences: Preferences): void {
  draft = { userId, preferences };
}

export function readPreferencesDraft(userId: number): Preferences | undefined {
  return draft?.userId === userId ? draft.preferences : undefined;
}

export function clearPreferencesDraft(): void {
  draft = undefined;
}
