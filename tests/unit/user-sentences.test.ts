import { expect, test } from 'vitest';
import { describeUserState } from '../../src/contract/user-sentences.ts';
import type { UserState } from '../../src/contract/user-state.ts';

const AT = '2026-11-22T12:31:00.000Z';
const mail = (purpose: UserState['mails'][number]['purpose']) => ({ purpose, state: 'handedOver', at: AT }) as const;
const describe = (state: Partial<UserState>) =>
  describeUserState({
    ...{ id: 1, username: 'jane', isVerified: true, isAdmin: false, isBlocked: false, createdAt: AT },
    ...{ lastLoginOn: '2026-11-09', sessions: 0, refusedLogins: [], mails: [mail('signup')], signedReviews: 0 },
    ...state,
  });

test('the verdict tells of the passcode only where it is what somebody waits for', () => {
  expect(describe({ isVerified: false })[0]).toBe(
    'Cannot log in: the email is not verified. A passcode was handed over on Nov 22, 12:31 UTC.',
  );
  expect(describe({})[0]).toBe('Can log in with the right password.');
  const locked = { lockedUntil: '2026-11-22T12:46:00.000Z', mails: [mail('reset'), mail('signup')] };
  expect(describe(locked)).toEqual([
    'Cannot log in: too many wrong passwords were tried. It stays locked, everywhere or at one address, until Nov 22, 12:46 UTC, or until the password is reset.',
    'A passcode for a new password was handed over on Nov 22, 12:31 UTC.',
    'The last login was on Nov 9, 2026.',
    'Logged in nowhere.',
  ]);
  const blocked = { isBlocked: true, blockedReason: 'Adverts.', mails: [mail('blocked'), mail('signup')] };
  expect(describe(blocked).slice(0, 2)).toEqual([
    'Cannot log in: the account is blocked. Reason: Adverts.',
    'Word of the block was handed over on Nov 22, 12:31 UTC.',
  ]);
});

test('days are written as on the other pages', () => {
  expect(describe({})).toContain('The last login was on Nov 9, 2026.');
});
