import type { FastifyBaseLogger } from 'fastify';
import { foldCase } from '../../contract/folding.ts';
import { inHashingSlot } from '../http/limits/hashing-slots.ts';
import { record, resetThrottles } from '../http/limits/throttle.ts';
import { refusals } from '../http/refusals/refusals.ts';
import { hashPassword, isOutdated } from '../security/passwords.ts';
import { pseudonym } from '../security/secrets.ts';
import type { AccountTools } from './account-tools.ts';
import { hasPasscode } from './passcodes.ts';
import { accountThrottles, knownAddress, tryPassword } from './password-tries.ts';
import { findUserByEmail, replacePassword } from './queries.ts';
import { openSession, signToken } from './sessions.ts';

/**
 * Checks email and password and opens a session. An unknown account costs the same: one hash, one commit.
 * @throws a 401 for a wrong email or password, a 403 before verification or while blocked, a 429 after too many wrong
 * passwords
 */
export async function logIn(
  tools: AccountTools,
  { email, password }: { email: string; password: string },
  address: string,
  log: FastifyBaseLogger,
): Promise<{ token: string }> {
  const { database, keys, supportEmail, now } = tools;
  const { user, isRight } = await inHashingSlot(address, async () => {
    const found = await findUserByEmail(database.read, email);
    return { user: found, isRight: await tryPassword(tools, { email, user: found, password }, address) };
  });
  if (!user || !isRight) {
    const about = {
      account: pseudonym(keys, 'account', foldCase(email)),
      address: pseudonym(keys, 'address', address),
    };
    log.warn({ event: 'login-failed', ...about }, 'login refused: wrong email or password');
    throw refusals.wrongLogin();
  }
  if (user.verified_at === null) throw refusals.notVerified(await hasPasscode(database.read, user.id, 'verify', now()));

  const hash = isOutdated(user.password_hash)
    ? await inHashingSlot(address, () => hashPassword(password))
    : user.password_hash;
  const time = now();
  const sessionId = await database.write(async (db) => {
    // The password was compared before this transaction: after a concurrent reset or deletion the login must fail.
    const stored = await replacePassword(db, user, hash);
    if (!stored) throw refusals.wrongLogin();
    // Read in this transaction: a concurrent block ends the sessions it finds, so it must either find this one or be
    // seen here.
    if (stored.blocked_reason !== null) throw refusals.blocked(stored.blocked_reason, supportEmail);
    await resetThrottles(db, accountThrottles(tools, email));
    await record(db, knownAddress(tools, email, address), time);
    return openSession(db, user.id, time);
  });
  log.info({ event: 'login', userId: user.id }, 'login');
  return { token: await signToken(keys.token, sessionId, user, time) };
}
