import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { PASSCODE_LENGTH, PASSCODE_LIFE_MINUTES } from '../../contract/accounts.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import { BOUNDS } from '../http/limits/bounds.ts';
import { hasQueuedMail } from '../mail/queries.ts';
import { type KeyRing, keyedHash } from '../security/secrets.ts';
import { deletePasscodes, hasUsablePasscode, NOBODY, storePasscode, takePasscodeTry } from './queries.ts';

/** The purpose of a code. A code is valid for its own purpose only. */
export type PasscodePurpose = 'verify' | 'reset' | 'email';

export const PASSCODE_LIFETIME_MS = PASSCODE_LIFE_MINUTES * 60_000;

/** The longest time for handing a mail over. The lifetime of its code starts when the mail is handed over. */
export const HAND_OVER_MS = 60_000;

/**
 * The hash is keyed, because otherwise all the million possible codes could be tried on a stolen database. It is bound
 * to its user and purpose.
 */
function hashPasscode(key: Uint8Array, userId: number, purpose: PasscodePurpose, salt: string, code: string): string {
  return keyedHash(key, 'passcode', String(userId), purpose, salt, code);
}

/** Makes a user's code for a purpose and replaces the previous one. @returns the code, which is stored only hashed */
export async function createPasscode(
  db: Connection,
  [key]: KeyRing,
  userId: number,
  purpose: PasscodePurpose,
  now: Milliseconds,
): Promise<string> {
  const code = String(randomInt(10 ** PASSCODE_LENGTH)).padStart(PASSCODE_LENGTH, '0');
  const salt = randomBytes(16).toString('base64url');
  const code_hash = hashPasscode(key, userId, purpose, salt, code);
  await storePasscode(db, userId, purpose, { salt, code_hash, expires_at: now + HAND_OVER_MS + PASSCODE_LIFETIME_MS });
  return code;
}

const usableAt = (now: Milliseconds) => ({
  triesMax: BOUNDS.passcodeTries.max,
  expiresAfter: now,
  // A code that has more time left than a new one was made before the clock was set back: it would be valid too long.
  expiresBefore: now + HAND_OVER_MS + PASSCODE_LIFETIME_MS + 1,
});

/** Whether a user has a code that can still be entered, or a queued mail that will bring one. */
export async function hasPasscode(db: Connection, userId: number, purpose: PasscodePurpose, now: Milliseconds) {
  return (await hasUsablePasscode(db, userId, purpose, usableAt(now))) || (await hasQueuedMail(db, userId, purpose));
}

/**
 * Compares a typed code and uses it up if it is right. Both cases cost one try.
 * @param userId undefined when there is no such account: the comparison costs the same, and no code is right
 * @returns `none` when there was no valid code to compare with
 */
export async function comparePasscode(
  db: Connection,
  keys: KeyRing,
  userId: number | undefined,
  purpose: PasscodePurpose,
  typed: string,
  now: Milliseconds,
): Promise<'right' | 'wrong' | 'none'> {
  const stored = await takePasscodeTry(db, userId ?? NOBODY, purpose, usableAt(now));
  const expected = Buffer.from(stored?.code_hash ?? hashPasscode(keys[0], NOBODY, purpose, '', ''));
  const matches = keys.map((key) => {
    const given = Buffer.from(hashPasscode(key, userId ?? NOBODY, purpose, stored?.salt ?? '', typed.trim()));
    return timingSafeEqual(expected, given);
  });
  if (stored === undefined || userId === undefined) return 'none';
  if (!matches.includes(true)) return 'wrong';
  await deletePasscodes(db, userId, purpose);
  return 'right';
}
