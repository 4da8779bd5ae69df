import type { ColumnTypes } from '../migrate.ts';

export const name = '015-blocked-users';

/** Why a user is blocked: null for all others, so that nobody is blocked without a reason. */
export function statements(_types: ColumnTypes): string[] {
  return ['alter table users add column blocked_reason text'];
}
