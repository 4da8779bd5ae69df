import { foldCase } from '../../../contract/folding.ts';
import type { UserState } from '../../../contract/user-state.ts';
import type { Commit, Connection } from '../../database/database.ts';
import type { UserRow } from '../../database/tables.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { findLockEnd, type LimitedTools, resetThrottles } from '../../http/limits/throttle.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { AccountTools } from '../account-tools.ts';
import { requireMailQuota } from '../mail-quotas.ts';
import { listSessions } from '../mine/queries.ts';
import { queuePasscode } from '../passcode-requests.ts';
import { accountThrottles } from '../password-tries.ts';
import { isExpired } from '../sessions.ts';
import { countSignedReviews, findLastLogin, listMails, listRefusedLogins } from './queries.ts';

/** The state of an account. Nothing in it changes when its owner posts an anonymous review. */
export async function readUserState(tools: LimitedTools, db: Connection, user: UserRow): Promise<UserState> {
  const now = tools.now();
  const lockedUntil = await findLockEnd(db, accountThrottles(tools, user.email), now);
  const lastLogin = await findLastLogin(db, user.id);
  const isAdmin = user.is_admin === 1;
  const sessions = (await listSessions(db, user.id)).filter((session) => !isExpired(session, isAdmin, now));
  return {
    id: user.id,
    username: user.username,
    isVerified: user.verified_at !== null,
    isAdmin,
    isBlocked: user.blocked_reason !== null,
    ...(user.blocked_reason !== null && { blockedReason: user.blocked_reason }),
    createdAt: new Date(user.created_at).toISOString(),
    lastLoginOn: lastLogin === null ? null : new Date(lastLogin).toISOString().slice(0, 10),
    ...(lockedUntil !== undefined && { lockedUntil: new Date(lockedUntil).toISOString() }),
    sessions: sessions.length,
    refusedLogins: await listRefusedLogins(db, user.id, now),
    mails: await listMails(db, user.id, now),
    signedReviews: await countSignedReviews(db, user.id),
  };
}

/** Forgets the wrong passwords and passcodes of an account at every address. */
export async function unlockAccount(tools: LimitedTools, db: Connection, { email }: UserRow): Promise<void> {
  const account = foldCase(email);
  const ofPasscodes = [LIMITS.wrongPasscodes, LIMITS.wrongPasscodesOfOne];
  await resetThrottles(db, [
    ...accountThrottles(tools, email),
    ...ofPasscodes.flatMap((limit) => tools.throttles.on(limit, account)),
  ]);
}

/** @throws a 409 for a verified account, a 429 when the quota of all sign-ups is used up */
export async function mailVerification(
  tools: LimitedTools & Pick<AccountTools, 'outbox'>,
  db: Connection,
  commit: Commit,
  user: UserRow,
): Promise<void> {
  if (user.verified_at !== null) throw refusals.conflict('This account is verified already: it needs no passcode.');
  await requireMailQuota(tools, db, 'verify');
  await queuePasscode(tools, db, commit, user.id, 'verify');
}
