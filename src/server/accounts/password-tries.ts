import { foldCase } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { LIMITS, recordOnly } from '../http/limits/limits.ts';
import { findLimitRefusal, hasOpenWindow, spendUnchecked } from '../http/limits/throttle.ts';
import { isPassword } from '../security/passwords.ts';
import { keyedHash } from '../security/secrets.ts';
import type { AccountTools } from './account-tools.ts';

/**
 * Addresses from which a user has logged in or entered a mailed passcode. Wrong passwords of strangers must not lock
 * the user out at these addresses, even if the strangers share one: a whole campus may have the same address.
 */
export const KNOWN_ADDRESSES = recordOnly({
  name: 'known-addresses',
  by: 'account and address',
  windowMs: 90 * 24 * 60 * 60_000,
});

/**
 * Wrong passwords for mailboxes without an account are counted for as long as those for accounts: otherwise the limit
 * would reveal which accounts exist. They share 16^5 counters, because guesses at invented mailboxes could otherwise
 * fill the disk.
 */
const NOBODYS_HEX_DIGITS = 5;

/** The account, or the shared counter for mailboxes without one. */
export function wrongPasswordSubject({ keys }: Pick<AccountTools, 'keys'>, account: string, isAccount: boolean) {
  if (isAccount) return account;
  const hash = Buffer.from(keyedHash(keys.throttle, 'nobody', account), 'base64url').toString('hex');
  return `nobody ${hash.slice(0, NOBODYS_HEX_DIGITS)}`;
}

/**
 * The throttles that a right password resets: only those of this account, at every address. Wrong passwords that the
 * same address tried at other accounts still count.
 */
export function accountThrottles({ throttles }: Pick<AccountTools, 'throttles'>, email: string) {
  const account = foldCase(email);
  return [...throttles.on(LIMITS.wrongPasswords, account), ...throttles.on(LIMITS.wrongPasswordsInARow, account)];
}

/** The throttle that records that an account was used from an address. */
export function knownAddress({ throttles }: AccountTools, email: string, address: string) {
  return throttles.on(KNOWN_ADDRESSES, foldCase(email), address);
}

/**
 * Compares a password and counts a wrong one. Call it inside a hashing slot: the limit is checked there, and a wrong
 * try is counted before the slot is released, so that concurrent guesses cannot exceed the limit.
 * @param user undefined when the mailbox has no account: the comparison costs the same, and no password is right
 * @param record records a refused try, in the same transaction
 * @returns whether the password is right
 * @throws a 429 after too many wrong ones
 */
export async function tryPassword(
  tools: AccountTools,
  { email, user, password }: { email: string; user?: UserRow | undefined; password: string },
  address: string,
  record: (db: Connection, reason: 'password' | 'locked') => Promise<void> = async () => {},
): Promise<boolean> {
  const { database, throttles, now } = tools;
  const account = foldCase(email);
  const own = throttles.on(LIMITS.wrongPasswords, account, address);
  const shared = [
    ...throttles.on(LIMITS.wrongPasswordsInARow, wrongPasswordSubject(tools, account, user !== undefined)),
    ...throttles.on(LIMITS.wrongPasswordsByAddress, address),
  ];
  const ownRefusal = await findLimitRefusal(database.read, own, now());
  if (ownRefusal) {
    await database.write((db) => record(db, 'locked'));
    throw ownRefusal;
  }
  const sharedRefusal = await findLimitRefusal(database.read, shared, now());
  if (sharedRefusal && !(await hasOpenWindow(database.read, knownAddress(tools, email, address), now()))) {
    await database.write((db) => record(db, 'locked'));
    throw sharedRefusal;
  }
  const isRight = await isPassword(user?.password_hash, password);
  if (isRight) return true;
  await database.write(async (db) => {
    await spendUnchecked(db, [...own, ...shared], now());
    await record(db, sharedRefusal ? 'locked' : 'password');
  });
  // A known address gets the same answer as a stranger: another answer would reveal that the account is used there.
  if (sharedRefusal) throw sharedRefusal;
  return false;
}
