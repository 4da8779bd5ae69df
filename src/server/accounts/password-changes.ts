import type * as calls from '../../contract/accounts.ts';
import type { BodyOf } from '../../contract/call.ts';
import { foldCase } from '../../contract/folding.ts';
import type { Commit, Connection } from '../database/database.ts';
import { inHashingSlot } from '../http/limits/hashing-slots.ts';
import { resetThrottles, spendUnchecked } from '../http/limits/throttle.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { Caller } from '../http/serve/serve.ts';
import { hashPassword } from '../security/passwords.ts';
import type { AccountTools } from './account-tools.ts';
import { checkNewPassword } from './new-password.ts';
import { requirePasscodeTriesLeft, tryPasscode } from './passcode-tries.ts';
import { accountThrottles, KNOWN_ADDRESSES, knownAddress, tryPassword } from './password-tries.ts';
import { deletePasscodes, findUser, replacePassword, setPassword } from './queries.ts';
import { deleteSessions } from './session-queries.ts';

/**
 * Sets a new password with a mailed code. Every session of the user ends, and the counters of wrong tries are reset.
 * @throws a 400 for a wrong code or a weak password, a 429 after too many wrong codes
 */
export async function resetPassword(
  tools: AccountTools,
  { email, forgotCode, newPassword }: BodyOf<typeof calls.resetPassword>,
  address: string,
): Promise<void> {
  const { database, throttles, siteName, now } = tools;
  // The username is not compared: such a refusal would reveal that the account exists.
  await checkNewPassword(newPassword, 'newPassword', [siteName, email]);
  const isRight = await inHashingSlot(address, async () => {
    // As at login, the limit is checked in the slot and a try is counted before the slot is released: concurrent
    // guesses could otherwise exceed the limit.
    await requirePasscodeTriesLeft(tools, email, address);
    const passwordHash = await hashPassword(newPassword);
    return database.write(async (db, commit) => {
      const user = await tryPasscode(tools, db, { email, purpose: 'reset', code: forgotCode }, address);
      if (!user) return false;
      await setPassword(db, user.id, passwordHash);
      await deleteSessions(db, user.id);
      await resetThrottles(db, accountThrottles(tools, email));
      // The only known address of the account is now the one that sent the right code.
      await resetThrottles(db, throttles.on(KNOWN_ADDRESSES, foldCase(email)));
      await spendUnchecked(db, knownAddress(tools, email, address), now());
      await queueNotice(tools, db, commit, user.id);
      return true;
    });
  });
  // Thrown outside the transaction, so that the wrong try is committed.
  if (!isRight) throw refusals.wrongPasscode('forgotCode');
}

/** Mails the notice that the password was changed. */
function queueNotice({ outbox }: AccountTools, db: Connection, commit: Commit, userId: number): Promise<void> {
  return outbox.queue(db, commit, { purpose: 'password-changed', userId });
}

/**
 * Changes the password of a signed-in user. Their other sessions end.
 * @throws a 401 for a wrong current password, a 400 for a weak new one, a 429 after too many wrong ones
 */
export async function changePassword(
  tools: AccountTools,
  caller: Caller,
  { currentPassword, newPassword }: BodyOf<typeof calls.changePassword>,
  address: string,
): Promise<void> {
  const { database, siteName } = tools;
  const user = await findUser(database.read, caller.userId);
  if (!user) throw refusals.invalidToken();
  await checkNewPassword(newPassword, 'newPassword', [siteName, user.username, user.email]);

  const passwordHash = await inHashingSlot(address, async () => {
    const isRight = await tryPassword(tools, { email: user.email, user, password: currentPassword }, address);
    if (!isRight) throw refusals.wrongCurrentPassword();
    return hashPassword(newPassword);
  });
  await database.write(async (db, commit) => {
    // A concurrent reset may be the owner's way to lock out the sender of this request.
    if (!(await replacePassword(db, user, passwordHash))) throw refusals.wrongCurrentPassword();
    await deleteSessions(db, user.id, caller.sessionId);
    // A reset code requested earlier must not undo the change.
    await deletePasscodes(db, user.id);
    await queueNotice(tools, db, commit, user.id);
  });
}
