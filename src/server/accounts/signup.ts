import { refusals } from '../http/refusals.ts';
import { inHashingSlot } from '../security/hashing-slots.ts';
import { LIMITS } from '../security/limits.ts';
import { hashPassword } from '../security/passwords.ts';
import { record, spend } from '../security/throttle.ts';
import type { AccountTools } from './account-tools.ts';
import { checkNewPassword } from './new-password.ts';
import { queuePasscode } from './passcode-requests.ts';
import { noteAskedPasscode, tryPasscode } from './passcode-tries.ts';
import { knownAddress } from './password-tries.ts';
import { deleteUnverified, findUserByEmail, findUserByUsername, insertUser, markVerified } from './queries.ts';
import { isReservedName } from './reserved-names.ts';

/** An account nobody has verified in this time makes room for its username and email. */
export const UNVERIFIED_LIFE = 24 * 60 * 60_000;

export interface Signup {
  username: string;
  email: string;
  password: string;
}

/**
 * Creates an unverified account and queues its passcode. Signing up again with an email that was never verified
 * starts over: whoever typed somebody else's address first has gained nothing.
 * @throws a 400 for a weak password or a misleading name, a 409 for a taken name or email, a 429 for too many from one address
 */
export async function signUp(tools: AccountTools, { username, email, password }: Signup, address: string) {
  const { database, throttles, siteName, now } = tools;
  if (isReservedName(username, siteName)) {
    throw refusals.badInput('This username could be mistaken for somebody else. Please choose another.');
  }
  await checkNewPassword(password, [siteName, username, email]);
  await database.write((db) => spend(db, throttles.on(LIMITS.signups, address), now()));
  const passwordHash = await inHashingSlot(address, () => hashPassword(password));

  return database.write(async (db, commit) => {
    const before = await findUserByEmail(db, email);
    if (before && before.verified_at !== null) {
      throw refusals.clash('There is already an account with this email. Log in, or reset its password.');
    }
    const namesake = await findUserByUsername(db, username);
    const isAbandoned = namesake?.verified_at === null && now() - namesake.created_at > UNVERIFIED_LIFE;
    if (namesake && namesake.id !== before?.id && !isAbandoned) throw refusals.clash('This username is already taken.');
    // A new row, never the old one changed: codes and tokens of the account before end with it.
    if (before) await deleteUnverified(db, before.id);
    if (namesake && namesake.id !== before?.id) await deleteUnverified(db, namesake.id);
    const id = await insertUser(db, { username, email, passwordHash, verifiedAt: null }, now());
    if (id === undefined) throw refusals.clash('This username or email is already taken.');
    await spend(db, throttles.on(LIMITS.mailsInAll), now());
    await noteAskedPasscode(tools, db, { email, purpose: 'verify' }, address);
    await queuePasscode(tools, db, commit, { id, email }, 'verify');
    return { id, username, email };
  });
}

/**
 * Marks the account as verified when the code is right.
 * @throws a 400 for a wrong code; a 429 after too many wrong ones, however many codes were sent
 */
export async function verifyAccount(tools: AccountTools, email: string, code: string, address: string): Promise<void> {
  const { database, now } = tools;
  const isRight = await database.write(async (db) => {
    const user = await tryPasscode(tools, db, { email, purpose: 'verify', code }, address);
    if (!user) return false;
    await markVerified(db, user.id, now());
    await record(db, knownAddress(tools, email, address), now());
    return true;
  });
  // Outside the unit: the spent try must stay spent.
  if (!isRight) throw refusals.wrongPasscode();
}
