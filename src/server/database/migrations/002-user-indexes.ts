export const name = '002-user-indexes';

/**
 * Partial indexes for the few users that the expiry and a demotion look for. Without them both read every user inside a
 * write: with a million users that took 57 ms, in which SQLite serves nobody else.
 */
export function statements(): string[] {
  return [
    'create index users_unverified on users (created_at) where verified_at is null',
    'create index users_admins on users (is_admin) where is_admin = 1',
  ];
}
