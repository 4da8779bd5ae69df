import type { signup } from '../../contract/accounts.ts';
import type { BodyOf } from '../../contract/call.ts';
import type { Connection } from '../database/database.ts';
import { skeletonOf } from '../database/skeletons.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import { inHashingSlot } from '../http/limits/hashing-slots.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { requireBelowLimit, spend, spendUnchecked } from '../http/limits/throttle.ts';
import { refusals } from '../http/refusals/refusals.ts';
import { noteAct } from '../numbers/queries.ts';
import { hashPassword } from '../security/passwords.ts';
import { keyedHash } from '../security/secrets.ts';
import type { AccountTools } from './account-tools.ts';
import { limitByAddress, requireMailQuota } from './mail-quotas.ts';
import { isReservedForAnother } from './mine/queries.ts';
import { checkNewPassword } from './new-password.ts';
import { queuePasscode } from './passcode-requests.ts';
import { recordPasscodeRequest, tryPasscode } from './passcode-tries.ts';
import { knownAddress } from './password-tries.ts';
import { deleteUnverified, findUserByEmail, insertUser, lockNamesakes, markVerified } from './queries.ts';
import { requireUnreservedName } from './reserved-names.ts';

/** An account that is not verified within this time is deleted, which frees its username and email. */
export const UNVERIFIED_LIFETIME = 24 * 60 * 60_000;

/** Said when the username or the email was taken after both were checked. */
export const TAKEN = 'This username or email is already taken.';

/**
 * Creates an unverified account and queues its passcode. It replaces an unverified account with the same email. Unless
 * that one was abandoned, the new one counts as contested: the owner of the mailbox may have made either account.
 * @throws a 400 for a weak password or a misleading name, a 409 for a taken name or email, a 429 for too many from one
 * address or mailbox
 */
export async function signUp(
  tools: AccountTools,
  { username, email, password }: BodyOf<typeof signup>,
  address: string,
) {
  const { database, throttles, siteName, now } = tools;
  requireUnreservedName(username, siteName);
  await checkNewPassword(password, 'password', [siteName, username, email]);
  await database.write(async (db) => {
    const byAddress = await limitByAddress(tools, db, 'verify', LIMITS.signups);
    await spend(db, throttles.on(byAddress, address), now());
    // Checked before hashing as well, because a hash is expensive.
    await requireBelowLimit(db, throttles.on(LIMITS.signupsOfMailbox, email), now());
  });
  const passwordHash = await inHashingSlot(address, () => hashPassword(password));

  return database.write(async (db, commit) => {
    const before = await findUserByEmail(db, email);
    const time = now();
    if (before && before.verified_at !== null) {
      throw refusals.conflict('There is already an account with this email. Log in, or reset its password.', 'email');
    }
    await requireFreeName(tools, db, username, before?.id);
    // A new row, not an update: so the codes and tokens of the replaced account become invalid.
    if (before) await deleteUnverified(db, before.id);
    const isContested = before !== undefined && !isAbandoned(before, time);
    const id = await insertUser(db, { username, email, passwordHash, isContested, verifiedAt: null }, time);
    if (id === undefined) throw refusals.conflict(TAKEN);
    await noteAct(db, 'signups', time);
    await spend(db, throttles.on(LIMITS.signupsOfMailbox, email), time);
    await requireMailQuota(tools, db, 'verify');
    await recordPasscodeRequest(tools, db, { email, purpose: 'verify' }, address);
    await queuePasscode(tools, db, commit, id, 'verify');
    return { id, username, email };
  });
}

/** Whether an account was not verified in time. It is deleted later, or when somebody needs its name or mailbox. */
const isAbandoned = (user: UserRow, now: Milliseconds) =>
  user.verified_at === null && now - user.created_at > UNVERIFIED_LIFETIME;

/**
 * Checks that a username is free, and frees it where abandoned accounts have it.
 * @param ownId an account that may have the name or have given it up: the renamed one, or the one a sign-up replaces
 * @throws a 409 for a name that somebody else has, or gave up lately
 */
export async function requireFreeName(
  { keys, now }: AccountTools,
  db: Connection,
  username: string,
  ownId: number | undefined,
): Promise<void> {
  const taken = () => refusals.conflict('This username is already taken.', 'username');
  const namesakes = (await lockNamesakes(db, username)).filter(({ id }) => id !== ownId);
  const time = now();
  if (!namesakes.every((namesake) => isAbandoned(namesake, time))) throw taken();
  for (const { id } of namesakes) await deleteUnverified(db, id);
  if (await isReservedForAnother(db, formerNameHashes(keys, username), ownId, time)) throw taken();
}

/** The hashes under which a name that was given up may be stored, the one with the current key first. */
export function formerNameHashes({ formerName }: AccountTools['keys'], username: string): string[] {
  return formerName.map((key) => keyedHash(key, skeletonOf(username)));
}

/**
 * Marks the account as verified if the code is right. A contested account then has no password until its owner sets one
 * with the reset code that is mailed at once.
 * @throws a 400 for a wrong code; a 429 after too many wrong ones, no matter how many codes were sent
 */
export async function verifyAccount(tools: AccountTools, email: string, code: string, address: string): Promise<void> {
  const { database, now } = tools;
  const isRight = await database.write(async (db, commit) => {
    const user = await tryPasscode(tools, db, { email, purpose: 'verify', code }, address);
    if (!user) return false;
    await markVerified(db, user, now());
    if (user.is_contested === 1) await queuePasscode(tools, db, commit, user.id, 'reset');
    await spendUnchecked(db, knownAddress(tools, email, address), now());
    return true;
  });
  // Thrown outside the transaction, so that the wrong try is committed.
  if (!isRight) throw refusals.wrongPasscode('verificationCode');
}
