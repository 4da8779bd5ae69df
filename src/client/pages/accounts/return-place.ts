/**
 * Where somebody goes on after logging in. Kept in memory and set by our own pages only: an address could be made to
 * lead elsewhere.
 */
let place: string | undefined;

export function rememberReturnPlace(path: string): void {
  place = path;
}

/** The place, once. */
export function takeReturnPlace(): string | undefined {
  const taken = place;
  place = undefined;
  return taken;
}
