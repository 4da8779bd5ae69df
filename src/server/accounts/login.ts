import type { FastifyBaseLogger } from 'fastify';
import { refusals } from '../http/refusals.ts';
import { LIMITS } from '../security/limits.ts';
import { hashPassword, inHashingSlot, isOutdated, isPassword } from '../security/passwords.ts';
import { lift, record, requireRoom } from '../security/throttle.ts';
import type { AccountTools } from './account-tools.ts';
import { emailKey, findUserByEmail, replacePassword } from './queries.ts';
import { openSession, signToken } from './sessions.ts';

/** The throttles that a wrong password counts against. */
export function wrongPasswordThrottles({ throttles }: AccountTools, email: string, address: string) {
  const account = emailKey(email);
  return [
    ...throttles.on(LIMITS.wrongPasswords, account, address),
    ...throttles.on(LIMITS.wrongPasswordsInARow, account),
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

  const { user, isRight } = await inHashingSlot(async () => {
    // Read in the slot, and failures are counted before it is left: guesses at once cannot outrun the count.
    await requireRoom(database.read, throttles, now());
    const found = await findUserByEmail(database.read, email);
    const right = await isPassword(found?.password_hash, password);
    if (!right) await database.write((db) => record(db, throttles, now()));
    return { user: found, isRight: right };
  });
  if (!user || !isRight) {
    log.warn({ event: 'login-failed' }, 'login refused: wrong email or password');
    throw refusals.wrongLogin();
  }
  if (user.verified_at === null) throw refusals.notVerified();

  const hash = isOutdated(user.password_hash) ? await inHashingSlot(() => hashPassword(password)) : user.password_hash;
  const time = now();
  const sessionId = await database.write(async (db) => {
    // The password was right when it was read: what was reset or deleted since lets nobody in by it.
    if (!(await replacePassword(db, user, hash))) throw refusals.wrongLogin();
    await lift(db, accountThrottles(tools, email));
    return openSession(db, user.id, time);
  });
  log.info({ event: 'login', userId: user.id }, 'login');
  return { token: await signToken(keys.token, sessionId, user, time) };
}
