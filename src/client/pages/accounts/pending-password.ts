import { PAGES } from '../../../contract/pages.ts';

interface PendingPassword {
  readonly password: string;
  /**
   * Whether the user typed it twice on /forgot. One from the URL of a link to /change may have been chosen by whoever
   * sent the link.
   */
  readonly isConfirmed: boolean;
}

/**
 * The new password between /forgot and /change. In memory only: browsers write every address and all of history.state
 * to disk.
 */
let pending: PendingPassword | undefined;

/** Stores a password that the user has typed twice. */
export function setPendingPassword(password: string): void {
  pending = { password, isConfirmed: true };
}

export function readPendingPassword(): PendingPassword | undefined {
  return pending;
}

export function clearPendingPassword(): void {
  pending = undefined;
}

/** Removes a password from the current address and stores it, before any request is sent. */
export function takePasswordFromAddress(): void {
  const url = new URL(location.href);
  const password = url.searchParams.get('newPassword');
  if (url.pathname !== PAGES.change.path || password === null) return;
  pending = password ? { password, isConfirmed: false } : undefined;
  url.searchParams.delete('newPassword');
  history.replaceState(null, '', url);
}
