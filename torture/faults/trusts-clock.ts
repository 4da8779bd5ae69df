// Trusts the clock for the age of sessions and codes, even after it was set back.
import './steps-clock.ts';
import type { takePasscodeTry } from '../../src/server/accounts/queries.ts';
import type { findSession } from '../../src/server/accounts/session-queries.ts';
import { wrapFunction } from './wrap-function.ts';

wrapFunction<typeof findSession>('accounts/session-queries.ts', 'findSession', (find) => async (...args) => {
  const session = await find(...args);
  return session && { ...session, used_at: Math.min(session.used_at, Date.now()) };
});

wrapFunction<typeof takePasscodeTry>(
  'accounts/queries.ts',
  'takePasscodeTry',
  (take) => (db, userId, purpose, options) =>
    take(db, userId, purpose, { ...options, expiresBefore: Number.MAX_SAFE_INTEGER }),
);
