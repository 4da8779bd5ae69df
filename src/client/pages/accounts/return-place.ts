import type { Owner } from '../../session.ts';

/**
 * Where somebody goes on after logging in. Kept in memory and set by our own pages only: an address could be made to
 * lead elsewhere.
 */
let place: { path: string; owner: Owner } | undefined;

/** @param owner who was there; somebody else is not led to where they were writing */
export function rememberReturnPlace(path: string, owner: Owner): void {
  place = { path, owner };
}

/** The place, once, for the user who has logged in. */
export function takeReturnPlace(userId: number): string | undefined {
  const taken = place;
  forgetReturnPlace();
  return taken?.owner === null || taken?.owner === userId ? taken.path : undefined;
}

export function forgetReturnPlace(): void {
  place = undefined;
}
