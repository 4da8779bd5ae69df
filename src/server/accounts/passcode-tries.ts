import { PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import { foldCase } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { LIMITS, type Limit, recordOnly } from '../http/limits/limits.ts';
import {
  hasOpenWindow,
  requireBelowLimit,
  restartWindows,
  spendUnchecked,
  type Throttle,
  trySpend,
} from '../http/limits/throttle.ts';
import type { AccountTools } from './account-tools.ts';
import { comparePasscode, HAND_OVER_MS, type PasscodePurpose } from './passcodes.ts';
import { findUserByEmail } from './queries.ts';

/** Addresses that requested a passcode: wrong codes from other people behind a shared address must not block them. */
const REQUEST_ADDRESSES = recordOnly({
  name: 'passcode-asked-at',
  by: 'account and address',
  windowMs: 24 * 60 * 60_000,
});

/**
 * Counts the wrong tries of a requested code, whether or not the account exists. A mailbox without an account allows as
 * many as a real code does: otherwise the limit would reveal which accounts exist.
 */
const REQUESTED_CODES: Limit = {
  name: 'passcode-asked',
  by: 'account',
  max: BOUNDS.passcodeTries.max,
  windowMs: HAND_OVER_MS + PASSCODE_LIFE_MINUTES * 60_000,
  sentence: '',
};

/**
 * The headers also tell the limit of an account at one address, because nobody else's tries count against it, and it
 * counts for mailboxes without an account too.
 */
const namedInHeaders = ['address', 'account and address'] as const;

/** A passcode as typed. */
interface TypedPasscode {
  email: string;
  purpose: PasscodePurpose;
  code: string;
}

/** Records that a code was requested, in the same way for known and unknown mailboxes. */
export async function recordPasscodeRequest(
  { throttles, now }: AccountTools,
  db: Connection,
  { email, purpose }: Omit<TypedPasscode, 'code'>,
  address: string,
): Promise<void> {
  const account = foldCase(email);
  await spendUnchecked(db, throttles.on(REQUEST_ADDRESSES, account, address), now());
  await restartWindows(db, throttles.on(REQUESTED_CODES, account, purpose), now());
}

async function findPasscodeThrottles(
  { throttles, now }: AccountTools,
  db: Connection,
  email: string,
  address: string,
): Promise<Throttle[]> {
  const account = foldCase(email);
  const hasRequested = await hasOpenWindow(db, throttles.on(REQUEST_ADDRESSES, account, address), now());
  return [
    ...throttles.on(LIMITS.wrongPasscodes, account),
    ...throttles.on(LIMITS.wrongPasscodesOfOne, account, address),
    ...(hasRequested ? [] : throttles.on(LIMITS.wrongPasscodesByAddress, address)),
  ];
}

/** @throws a 429 after too many wrong codes */
export async function requirePasscodeTriesLeft(tools: AccountTools, email: string, address: string): Promise<void> {
  const { read } = tools.database;
  await requireBelowLimit(read, await findPasscodeThrottles(tools, read, email, address), tools.now(), {
    namedInHeaders,
  });
}

/**
 * Compares a code in the same transaction as the change it permits, and counts a wrong one. The transaction must be
 * committed in both cases, or a wrong try would not be counted.
 * @returns the user when the code is right; it is used up then
 * @throws a 429 after too many wrong codes, no matter how many codes were sent
 */
export async function tryPasscode(
  tools: AccountTools,
  db: Connection,
  { email, purpose, code }: TypedPasscode,
  address: string,
): Promise<UserRow | undefined> {
  const { keys, throttles, now } = tools;
  const account = foldCase(email);
  await requireBelowLimit(db, await findPasscodeThrottles(tools, db, email, address), now(), {
    isLocked: true,
    namedInHeaders,
  });
  const user = await findUserByEmail(db, email);
  const outcome = await comparePasscode(db, keys.passcode, user?.id, purpose, code, now());
  if (user && outcome === 'right') return user;
  const wrong = [
    ...throttles.on(LIMITS.wrongPasscodesOfOne, account, address),
    ...throttles.on(LIMITS.wrongPasscodesByAddress, address),
  ];
  await spendUnchecked(db, wrong, now());
  // Without a valid or a requested code, a try is no guess and does not count against the account's daily limit.
  const requested = throttles.on(REQUESTED_CODES, account, purpose);
  let isCounted = outcome === 'wrong';
  for (const throttle of requested) {
    if (await hasOpenWindow(db, [throttle], now())) isCounted = (await trySpend(db, throttle, now())) || isCounted;
  }
  if (isCounted) await spendUnchecked(db, throttles.on(LIMITS.wrongPasscodes, account), now());
  return undefined;
}
