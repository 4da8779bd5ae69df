import type { FastifyBaseLogger } from 'fastify';
import { refusals } from '../http/refusals.ts';
import { inHashingSlot } from '../security/hashing-slots.ts';
import type { Limit } from '../security/limits.ts';
import { LIMITS } from '../security/limits.ts';
import { hashPassword, isOutdated, isPassword } from '../security/passwords.ts';
import { hasHappened, lift, record, requireRoom } from '../security/throttle.ts';
import type { AccountTools } from './account-tools.ts';
import { emailKey, findUserByEmail, replacePassword } from './queries.ts';
import { openSession, signToken } from './sessions.ts';

/** Where somebody has logged in: strangers' wrong passwords from everywhere must not keep them out there. */
export const KNOWN_ADDRESSES: Limit = {
  name: 'known-addresses',
  by: 'account and address',
  max: Number.POSITIVE_INFINITY,
  windowMs: 90 * 24 * 60 * 60_000,
  sentence: '',
};

/**
 * Counted for a mailbox without an account, so that it is refused like one with: for a day only, or guesses at made-up
 * mailboxes would fill the disk for a year.
 */
const NOBODYS_WRONG_PASSWORDS: Limit = { ...LIMITS.wrongPasswordsInARow, windowMs: 24 * 60 * 60_000 };

/** The throttles that a wrong password counts against. */
export function wrongPasswordThrottles(
  { throttles }: AccountTools,
  email: string,
  address: string,
  inARow: Limit = LIMITS.wrongPasswordsInARow,
) {
  const account = emailKey(email);
  return [
    ...throttles.on(LIMITS.wrongPasswords, account, address),
    ...throttles.on(inARow, account),
    ...throttles.on(LIMITS.wrongPasswordsByAddress, address),
  ];
}

/** What a right password clears: the row of wrong ones, not the other accounts tried from this address. */
export function accountThrottles({ throttles }: AccountTools, email: string) {
  const account = emailKey(email);
  return [...throttles.on(LIMITS.wrongPasswords, account), ...throttles.on(LIMITS.wrongPasswordsInARow, account)];
}

/**
 * Checks email and password and opens a session. Unknown accounts take the same path: one hash, one commit.
 * @throws a 401 for a wrong email or password alike, a 403 before verification, a 429 after too many wrong ones
 */
export async function logIn(
  tools: AccountTools,
  { email, password }: { email: string; password: string },
  address: string,
  log: FastifyBaseLogger,
): Promise<{ token: string }> {
  const { database, keys, now } = tools;
  const throttles = wrongPasswordThrottles(tools, email, address);
  const known = tools.throttles.on(KNOWN_ADDRESSES, emailKey(email), address);

  const { user, isRight } = await inHashingSlot(address, async () => {
    const isKnown = await hasHappened(database.read, known, now());
    // Read in the slot, and failures are counted before it is left: guesses at once cannot outrun the count.
    await requireRoom(
      database.read,
      throttles.filter(({ limit }) => !isKnown || limit !== LIMITS.wrongPasswordsInARow),
      now(),
    );
    const found = await findUserByEmail(database.read, email);
    const right = await isPassword(found?.password_hash, password);
    const counted = found ? throttles : wrongPasswordThrottles(tools, email, address, NOBODYS_WRONG_PASSWORDS);
    if (!right) await database.write((db) => record(db, counted, now()));
    return { user: found, isRight: right };
  });
  if (!user || !isRight) {
    log.warn({ event: 'login-failed' }, 'login refused: wrong email or password');
    throw refusals.wrongLogin();
  }
  if (user.verified_at === null) throw refusals.notVerified();

  const hash = isOutdated(user.password_hash)
    ? await inHashingSlot(address, () => hashPassword(password))
    : user.password_hash;
  const time = now();
  const sessionId = await database.write(async (db) => {
    // The password was right when it was read: what was reset or deleted since lets nobody in by it.
    if (!(await replacePassword(db, user, hash))) throw refusals.wrongLogin();
    await lift(db, accountThrottles(tools, email));
    await record(db, known, time);
    return openSession(db, user.id, time);
  });
  log.info({ event: 'login', userId: user.id }, 'login');
  return { token: await signToken(keys.token, sessionId, user, time) };
}
