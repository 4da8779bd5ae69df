import type { Owner } from '../../session.ts';

/**
 * The page that the user returns to after logging in. It is in memory and set only by our own pages: a path in the
 * address could lead to another site.
 */
let returnPath: { path: string; owner: Owner; reason: string | undefined } | undefined;

/** The page to which the last login returned, until that page has read it. */
let returnedTo: string | undefined;

/** @param owner the current user; another user does not return to this page @param reason shown on the login page */
export function setReturnPath(path: string, owner: Owner, reason?: string): void {
  returnPath = { path, owner, reason };
}

/** The sentence that tells the user why the login page was opened. */
export function readReturnReason(): string | undefined {
  return returnPath?.reason;
}

/** Returns the path once, if this user is the one who left it. */
export function takeReturnPath(userId: number): string | undefined {
  const taken = returnPath;
  clearReturnPath();
  returnedTo = taken?.owner === null || taken?.owner === userId ? taken.path : undefined;
  return returnedTo;
}

/** Whether the last login returned to this path. True only once. */
export function consumeReturn(path: string): boolean {
  const isHere = returnedTo === path;
  if (isHere) returnedTo = undefined;
  return isHere;
}

export function clearReturnPath(): void {
  returnPath = undefined;
  returnedTo = undefined;
}
