export const name = '002-user-indexes';

/**
 * The few among the users whom a sweep and a demotion look for. Without these both read every user inside a write:
 * 57 ms with a million of them, in which SQLite serves nobody else.
 */
export function statements(): string[] {
  return [
    'create index users_unverified on users (created_at) where verified_at is null',
    'create index users_admins on users (is_admin) where is_admin = 1',
  ];
}
