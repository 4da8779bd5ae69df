import type { Owner } from '../../session.ts';

/**
 * The page that the user returns to after logging in. It is kept in memory and set only by our own pages: a path in the
 * address could lead to another site.
 */
let place: { path: string; owner: Owner; reason: string | undefined } | undefined;

/** The page to which the last login returned, until that page has read it. */
let arrival: string | undefined;

/** @param owner the current user; another user does not return to this page @param reason shown on the login page */
export function rememberReturnPlace(path: string, owner: Owner, reason?: string): void {
  place = { path, owner, reason };
}

/** The sentence that tells the user why the login page was opened. */
export function readReturnReason(): string | undefined {
  return place?.reason;
}

/** Returns the path once, if this user is the one who left it. */
export function takeReturnPlace(userId: number): string | undefined {
  const taken = place;
  forgetReturnPlace();
  arrival = taken?.owner === null || taken?.owner === userId ? taken.path : undefined;
  return arrival;
}

/** Whether the last login returned to this path. True only once. */
export function takeArrival(path: string): boolean {
  const isHere = arrival === path;
  if (isHere) arrival = undefined;
  return isHere;
}

export function forgetReturnPlace(): void {
  place = undefined;
  arrival = undefined;
}
