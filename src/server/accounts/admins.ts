import * as Type from 'typebox';
import { Email, PASSWORD_MAX, PASSWORD_MIN, Username } from '../../contract/accounts.ts';
import { recordCommand } from '../audit/queries.ts';
import type { Connection, Database } from '../database/database.ts';
import type { Milliseconds, UserRow } from '../database/tables.ts';
import { refusals, requireFound } from '../http/refusals/refusals.ts';
import { compileCheck } from '../http/serve/checks.ts';
import { hashPassword } from '../security/passwords.ts';
import { checkNewPassword } from './new-password.ts';
import { deleteUnverified, findUserByEmail, insertUser, lockNamesakes } from './queries.ts';
import { changeUser, isLastAdmin } from './users/queries.ts';

/** The shortest password that is enough without a second factor (NIST 800-63B-4). */
export const ADMIN_PASSWORD_ADVISED = 15;

const checkEmail = compileCheck(Type.Object({ email: Email }), false);
const checkNames = compileCheck(Type.Object({ email: Email, username: Username }), false);

interface NewAdmin {
  email: string;
  username: string;
  password: string;
}

async function checkAdminPassword({ password, username, email }: NewAdmin, siteName: string): Promise<void> {
  const length = [...password].length;
  if (length < PASSWORD_MIN || length > PASSWORD_MAX) {
    throw refusals.badInput(
      `The password of an admin must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters, this one has ${length}.`,
    );
  }
  await checkNewPassword(password, 'password', [siteName, username, email]);
}

/**
 * Creates an admin who can log in at once. An unverified account with the same email is deleted, as at a sign-up.
 * @throws a refusal for an invalid or taken username or email, or a weak password
 */
export async function createAdmin(
  database: Database,
  admin: NewAdmin,
  { siteName, now }: { siteName: string; now: Milliseconds },
): Promise<void> {
  const { email, username } = checkNames({ email: admin.email, username: admin.username });
  await checkAdminPassword(admin, siteName);
  const passwordHash = await hashPassword(admin.password);
  await database.write(async (db) => {
    const before = await findUserByEmail(db, email);
    if (before && before.verified_at !== null) {
      throw refusals.conflict(`There is already an account with the email ${email}; "grant" makes it an admin.`);
    }
    if (before) await deleteUnverified(db, before.id);
    const taken = refusals.conflict(`The username ${username} is already taken.`);
    if ((await lockNamesakes(db, username)).length > 0) throw taken;
    const id = await insertUser(db, { username, email, passwordHash, isAdmin: true, verifiedAt: now }, now);
    if (id === undefined) throw taken;
    await recordCommand(db, 'admin create', id, now);
  });
}

/** The account with this email. @throws a 404 when there is none */
export async function requireUser(db: Connection, email: string): Promise<UserRow> {
  return requireFound(await findUserByEmail(db, checkEmail({ email }).email), `account as ${email}`);
}

/** Makes the account with this email an admin. @returns its username; undefined if it was an admin already */
export function grantAdmin(database: Database, email: string, now: Milliseconds): Promise<string | undefined> {
  return database.write(async (db) => {
    const user = await requireUser(db, email);
    // The person who signed up may not be the owner of this mailbox.
    if (user.verified_at === null) throw refusals.conflict(`The account ${email} is not verified yet.`);
    if (user.is_admin === 1) return undefined;
    if (user.blocked_reason !== null)
      throw refusals.conflict(`The account ${email} is blocked. Unblock it under /admin first.`);
    await changeUser(db, user.id, { is_admin: 1 });
    await recordCommand(db, 'admin grant', user.id, now);
    return user.username;
  });
}

/**
 * Makes an admin a plain user.
 * @returns the username; undefined if the account was no admin
 * @throws a 409 for the last admin
 */
export function revokeAdmin(database: Database, email: string, now: Milliseconds): Promise<string | undefined> {
  return database.write(async (db) => {
    const user = await requireUser(db, email);
    if (user.is_admin === 0) return undefined;
    if (await isLastAdmin(db, user.id)) {
      throw refusals.conflict(`${email} is the last admin and stays one. Make somebody else an admin first.`);
    }
    await changeUser(db, user.id, { is_admin: 0 });
    await recordCommand(db, 'admin revoke', user.id, now);
    return user.username;
  });
}
