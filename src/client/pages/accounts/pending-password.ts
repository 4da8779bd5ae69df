import { PAGES } from '../../../contract/pages.ts';

/**
 * The new password on its way from /forgot to /change. In memory only: browsers write every address and all of
 * history.state to disk (contract §3).
 */
let pending: string | undefined;

export function holdPassword(password: string | undefined): void {
  pending = password;
}

export function heldPassword(): string | undefined {
  return pending;
}

/** Takes a password out of an opened address, before anything is asked of a server with it. */
export function takePasswordFromAddress(): void {
  const url = new URL(location.href);
  const password = url.searchParams.get('newPassword');
  if (url.pathname !== PAGES.change.path || password === null) return;
  holdPassword(password || undefined);
  url.searchParams.delete('newPassword');
  history.replaceState(null, '', url);
}
