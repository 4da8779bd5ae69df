import type { AnswerOf, BodyOf } from '../../../contract/call.ts';
import { DAY } from '../../../contract/durations.ts';
import { foldCase } from '../../../contract/folding.ts';
import { RENAME_DAYS, type updateMyAccount } from '../../../contract/my-account.ts';
import type { Commit, Connection } from '../../database/database.ts';
import { isUniqueViolation } from '../../database/failures.ts';
import { lockRow } from '../../database/lock-row.ts';
import type { UserRow } from '../../database/tables.ts';
import { changes } from '../../http/cache/tags.ts';
import { inHashingSlot } from '../../http/limits/hashing-slots.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import { spend, spendUnchecked } from '../../http/limits/throttle.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Caller } from '../../http/serve/serve.ts';
import { deleteQueuedMails } from '../../mail/queries.ts';
import { renameReviews } from '../../reviews/signature-queries.ts';
import { lockManyReviews } from '../../visibility/location-queries.ts';
import type { AccountTools } from '../account-tools.ts';
import { requireMailQuota } from '../mail-quotas.ts';
import { queuePasscode } from '../passcode-requests.ts';
import { recordPasscodeRequest, tryPasscode } from '../passcode-tries.ts';
import { knownAddress, tryPassword } from '../password-tries.ts';
import * as accounts from '../queries.ts';
import { requireUnreservedName } from '../reserved-names.ts';
import { deleteSessions } from '../session-queries.ts';
import { signToken } from '../sessions.ts';
import { formerNameHashes, requireFreeName, TAKEN } from '../signup.ts';
import * as queries from './queries.ts';

/**
 * The caller's account, if they know its password.
 * @throws a 401 for a wrong one, a 429 after too many wrong ones
 */
export async function requirePassword(
  tools: AccountTools,
  caller: Caller,
  password: string,
  address: string,
): Promise<UserRow> {
  const user = await accounts.findUser(tools.database.read, caller.userId);
  if (!user) throw refusals.invalidToken();
  const isRight = await inHashingSlot(address, () =>
    tryPassword(tools, { email: user.email, user, password }, address),
  );
  if (!isRight) throw refusals.wrongCurrentPassword('password');
  return user;
}

/**
 * Locks the account in the transaction that changes it. Others can still add rows that refer to it, because a mail with
 * a passcode may be handed over meanwhile. To prevent new rows, such as reviews, call `lockRow` first.
 * @returns its present name
 * @throws a 401 when it has another password than the one that was compared before, or is gone
 */
export async function lockAccount(db: Connection, user: UserRow): Promise<string> {
  const stored = await accounts.replacePassword(db, user, user.password_hash);
  if (stored) return stored.username;
  throw (await accounts.findUser(db, user.id)) ? refusals.wrongCurrentPassword('password') : refusals.invalidToken();
}

/** Renames the caller, requests another email, or both. Neither is done if one of them is refused. */
export async function changeAccount(
  tools: AccountTools,
  caller: Caller,
  { password, username, email }: BodyOf<typeof updateMyAccount>,
  address: string,
): Promise<AnswerOf<typeof updateMyAccount>> {
  const { database, keys, now, siteName } = tools;
  if (username !== undefined && username !== caller.username) requireUnreservedName(username, siteName);
  const user = await requirePassword(tools, caller, password, address);
  if (email !== undefined && foldCase(email) === user.email_key) {
    throw refusals.badInput('This is your present email.', 'email');
  }
  const renamed = username !== undefined && username !== user.username ? { ...user, username } : undefined;
  const pendingEmail = await takenAsConflict(
    database.write(async (db, commit) => {
      if (renamed) {
        await lockManyReviews(db);
        await lockRow(db, 'users', user.id);
      }
      const present = await lockAccount(db, user);
      // An equal request may have been first.
      if (renamed && renamed.username !== present) await rename(tools, db, commit, user, renamed.username);
      if (email !== undefined) await requestEmailChange(tools, db, commit, { user, email, address });
      return queries.findPendingEmail(db, user.id, now());
    }),
  );
  const current = renamed ?? user;
  // Also when the name is the present one: the answer to the request that set it may have been lost.
  const token = username !== undefined && (await signToken(keys.token, caller.sessionId, current, now()));
  return {
    ...(token && { token }),
    username: current.username,
    ...(pendingEmail !== undefined && { pendingEmail }),
  };
}

/** Answers 409 if another transaction took the name or the email between the check and the commit. */
async function takenAsConflict<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    throw isUniqueViolation(error) ? refusals.conflict(TAKEN) : error;
  }
}

async function rename(tools: AccountTools, db: Connection, commit: Commit, user: UserRow, username: string) {
  const { keys, now } = tools;
  const last = await queries.findLastRename(db, user.id);
  if (last !== undefined && last + RENAME_DAYS * DAY > now()) {
    const again = new Date(last + RENAME_DAYS * DAY).toISOString().slice(0, 10);
    throw refusals.conflict(`You can change your username once in ${RENAME_DAYS} days, again on ${again}.`, 'username');
  }
  await requireFreeName(tools, db, username, user.id);
  const [nameHash = ''] = formerNameHashes(keys, user.username);
  await queries.renameUser(db, { id: user.id, username, nameHash }, now());
  commit.invalidate(...changes.authorsChanged(await renameReviews(db, user.id, username)));
}

/**
 * The same happens whether or not the mailbox belongs to an account: only the owner of the mailbox can notice the
 * difference.
 */
async function requestEmailChange(
  tools: AccountTools,
  db: Connection,
  commit: Commit,
  { user, email, address }: { user: UserRow; email: string; address: string },
): Promise<void> {
  const { throttles, now, outbox } = tools;
  await spend(db, throttles.on(LIMITS.emailChanges, user.id), now());
  await requireMailQuota(tools, db, 'email');
  // Queued mails are deleted before the change is replaced, because handing over a mail locks both in this order.
  for (const purpose of ['email', 'email-asked'] as const) await deleteQueuedMails(db, user.id, purpose);
  const change = { userId: user.id, oldEmail: user.email, newEmail: email };
  const subjectId = await queries.replaceEmailChange(db, change, now());
  // A code that was mailed to another mailbox is not good for this one.
  await accounts.deletePasscodes(db, user.id, 'email');
  await recordPasscodeRequest(tools, db, { email: user.email, purpose: 'email' }, address);
  await queuePasscode(tools, db, commit, user.id, 'email');
  await outbox.queue(db, commit, { purpose: 'email-asked', userId: user.id, subjectId });
}

/**
 * Gives the account its pending email. The other sessions end, and passcodes mailed before are void.
 * @throws a 400 for a wrong code, a 409 when the mailbox has become somebody else's, a 429 after too many wrong codes
 */
export async function confirmEmail(tools: AccountTools, caller: Caller, code: string, address: string): Promise<void> {
  const { database, outbox, now } = tools;
  const email = (await accounts.findUser(database.read, caller.userId))?.email ?? '';
  const writing = database.write(async (db, commit) => {
    const user = await tryPasscode(tools, db, { email, purpose: 'email', code }, address);
    if (user) await deleteQueuedMails(db, user.id, 'email-asked');
    const change = user && (await queries.lockEmailChange(db, user.id, now()));
    if (!change) return false;
    const holder = await accounts.findUserByEmail(db, change.new_email);
    if (holder && holder.verified_at !== null) throw refusals.conflict(TAKEN);
    // An unverified account with this mailbox is deleted, as at a sign-up: nobody has proved that the mailbox is
    // theirs.
    if (holder) await accounts.deleteUnverified(db, holder.id);
    await queries.setEmail(db, { id: change.id, userId: user.id, newEmail: change.new_email }, now());
    await deleteSessions(db, user.id, caller.sessionId);
    await accounts.deletePasscodes(db, user.id);
    await spendUnchecked(db, knownAddress(tools, change.new_email, address), now());
    await outbox.queue(db, commit, { purpose: 'email-changed', userId: user.id, subjectId: change.id });
    return true;
  });
  // Thrown outside the transaction, so that the wrong try is committed.
  if (!(await takenAsConflict(writing))) throw refusals.wrongPasscode('code');
}
