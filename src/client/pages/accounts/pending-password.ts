import { PAGES } from '../../../contract/pages.ts';

interface PendingPassword {
  readonly password: string;
  /** Whether its user typed it twice on /forgot. One out of an address may be the choice of whoever sent the link. */
  readonly isConfirmed: boolean;
}

/**
 * The new password on its way to /change. In memory only: browsers write every address and all of history.state to
 * disk.
 */
let pending: PendingPassword | undefined;

/** Hands over a password that its user has typed and confirmed. */
export function holdPassword(password: string): void {
  pending = { password, isConfirmed: true };
}

export function readPendingPassword(): PendingPassword | undefined {
  return pending;
}

export function dropPendingPassword(): void {
  pending = undefined;
}

/** Takes a password out of an opened address, before anything is asked of a server with it. */
export function takePasswordFromAddress(): void {
  const url = new URL(location.href);
  const password = url.searchParams.get('newPassword');
  if (url.pathname !== PAGES.change.path || password === null) return;
  pending = password ? { password, isConfirmed: false } : undefined;
  url.searchParams.delete('newPassword');
  history.replaceState(null, '', url);
}
