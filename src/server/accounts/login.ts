import type { FastifyBaseLogger } from 'fastify';
import { foldCase } from '../../contract/folding.ts';
import type { RefusalReason } from '../../contract/user-state.ts';
import type { Connection } from '../database/database.ts';
import type { UserRow } from '../database/tables.ts';
import { inHashingSlot } from '../http/limits/hashing-slots.ts';
import { resetThrottles, spendUnchecked } from '../http/limits/throttle.ts';
import { Refusal, refusals } from '../http/refusals/refusals.ts';
import { hashPassword, isOutdated, NO_PASSWORD } from '../security/passwords.ts';
import { pseudonym } from '../security/secrets.ts';
import type { AccountTools } from './account-tools.ts';
import { hasPasscode } from './passcodes.ts';
import { accountThrottles, knownAddress, tryPassword } from './password-tries.ts';
import { findUserByEmail, replacePassword } from './queries.ts';
import { openSession, signToken } from './sessions.ts';
import { recordLogin, recordRefusedLogin } from './state/queries.ts';

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
  const { database, keys, now } = tools;
  /** The user, and the reason for a refusal, as soon as they are known. */
  const attempt: { user?: UserRow | undefined; reason?: RefusalReason } = {};
  const record = async (db: Connection, cause: RefusalReason) => {
    const { user } = attempt;
    const hasNoPassword = user?.is_contested === 1 && user.password_hash === NO_PASSWORD;
    attempt.reason = cause === 'password' && hasNoPassword ? 'contested' : cause;
    await recordRefusedLogin(db, user?.id, attempt.reason, now());
  };
  try {
    const { user, isRight } = await inHashingSlot(address, async () => {
      attempt.user = await findUserByEmail(database.read, email);
      return { ...attempt, isRight: await tryPassword(tools, { ...attempt, email, password }, address, record) };
    });
    if (!user || !isRight) throw refusals.wrongLogin();
    return await openSessionOf(tools, user, { email, password, address, record, log });
  } catch (error) {
    const { user, reason } = attempt;
    if (error instanceof Refusal && reason !== undefined) {
      const about = {
        account: pseudonym(keys, 'account', foldCase(email)),
        address: pseudonym(keys, 'address', address),
        ...(user && { userId: user.id }),
        reason: user || reason === 'locked' ? reason : 'unknown mailbox',
        limit: error.limit,
      };
      log.warn({ event: 'login-failed', ...about }, 'login refused');
    }
    throw error;
  }
}

/** A login whose password was right. */
interface VerifiedLogin {
  email: string;
  password: string;
  address: string;
  record: (db: Connection, reason: RefusalReason) => Promise<void>;
  log: FastifyBaseLogger;
}

/** Opens a session after a right password, unless the account is unverified or blocked, or has changed meanwhile. */
async function openSessionOf(
  tools: AccountTools,
  user: UserRow,
  { email, password, address, record, log }: VerifiedLogin,
): Promise<{ token: string }> {
  const { database, keys, supportEmail, now } = tools;
  if (user.verified_at === null) {
    const { blocked_reason: blockedReason } = user;
    await database.write((db) => record(db, blockedReason === null ? 'unverified' : 'blocked'));
    if (blockedReason !== null) throw refusals.blocked(blockedReason, supportEmail);
    throw refusals.notVerified(await hasPasscode(database.read, user.id, 'verify', now()));
  }
  const hash = isOutdated(user.password_hash)
    ? await inHashingSlot(address, () => hashPassword(password))
    : user.password_hash;
  const time = now();
  const opened = await database.write(async (db): Promise<{ sessionId: string } | { blockedReason: string }> => {
    // The password was compared before this transaction: after a concurrent reset or deletion the login must fail.
    const stored = await replacePassword(db, user, hash);
    if (!stored) throw refusals.wrongLogin();
    // The reason is read in this transaction. A concurrent block ends the sessions that it finds: it must either find
    // this session or be seen here.
    if (stored.blocked_reason !== null) {
      await record(db, 'blocked');
      return { blockedReason: stored.blocked_reason };
    }
    await resetThrottles(db, accountThrottles(tools, email));
    await spendUnchecked(db, knownAddress(tools, email, address), time);
    await recordLogin(db, user.id, time);
    return { sessionId: await openSession(db, user.id, time) };
  });
  // Thrown outside the transaction, so that the record of the refusal is committed.
  if ('blockedReason' in opened) throw refusals.blocked(opened.blockedReason, supportEmail);
  log.info({ event: 'login', userId: user.id }, 'login');
  return { token: await signToken(keys.token, opened.sessionId, user, time) };
}
