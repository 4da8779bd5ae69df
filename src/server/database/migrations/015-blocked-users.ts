import type { ColumnTypes } from '../migrate.ts';

export const name = '015-blocked-users';

/** The reason for which a user is blocked; null for a user who is not blocked. */
export function statements(_types: ColumnTypes): string[] {
  return ['alter table users add column blocked_reason text'];
}
