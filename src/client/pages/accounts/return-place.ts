import type { Owner } from '../../session.ts';

/**
 * Where somebody goes on after logging in. Kept in memory and set by our own pages only: an address could be made to
 * lead elsewhere.
 */
let place: { path: string; owner: Owner; reason: string | undefined } | undefined;

/** Where the last login led back to, until the page there has taken note of it. */
let arrival: string | undefined;

/**
 * @param owner who was there; somebody else is not led to where they were writing
 * @param reason what the login page says about why it was opened
 */
export function rememberReturnPlace(path: string, owner: Owner, reason?: string): void {
  place = { path, owner, reason };
}

/** Why somebody was led to the login page, in words for them. */
export function readReturnReason(): string | undefined {
  return place?.reason;
}

/** The place, once, for the user who has logged in. */
export function takeReturnPlace(userId: number): string | undefined {
  const taken = place;
  forgetReturnPlace();
  arrival = taken?.owner === null || taken?.owner === userId ? taken.path : undefined;
  return arrival;
}

/** Whether the last login led back to this path; true once. */
export function takeArrival(path: string): boolean {
  const isHere = arrival === path;
  if (isHere) arrival = undefined;
  return isHere;
}

export function forgetReturnPlace(): void {
  place = undefined;
  arrival = undefined;
}
