import type { ExpressionBuilder } from 'kysely';
import { foldCase } from '../../contract/folding.ts';
import type { Connection } from '../database/database.ts';
import { UnavailableDatabase } from '../database/failures.ts';
import { hasRow } from '../database/found-rows.ts';
import { lockName } from '../database/lock-row.ts';
import { skeletonOf } from '../database/skeletons.ts';
import type { Milliseconds, StoredRow, Tables, UserRow } from '../database/tables.ts';
import { noteAct } from '../numbers/queries.ts';
import { NO_PASSWORD } from '../security/passwords.ts';

/** No account has this id: statements with it change nothing and cost the same. */
export const NOBODY = 0;

export function findUserByEmail(db: Connection, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email_key', '=', foldCase(email)).executeTakeFirst();
}

export function findUser(db: Connection, userId: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

/**
 * The users whose names look like this one, whatever their case, accents and punctuation. Until the transaction ends,
 * others wait when they look for these names.
 */
export async function lockNamesakes(db: Connection, username: string): Promise<UserRow[]> {
  const skeleton = skeletonOf(username);
  await lockName(db, `username ${skeleton}`);
  return db.selectFrom('users').selectAll().where('username_skeleton', '=', skeleton).execute();
}

function findUserByUsername(db: Connection, username: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('username_key', '=', foldCase(username)).executeTakeFirst();
}

/** The columns of a username. */
export const nameColumns = (username: string) => ({
  username,
  username_key: foldCase(username),
  username_skeleton: skeletonOf(username),
});

/** The columns of an email address. */
export const emailColumns = (email: string) => ({ email, email_key: foldCase(email) });

interface NewUser {
  username: string;
  email: string;
  passwordHash: string;
}

/**
 * @returns the new id; undefined when the username or the email is taken, even by a concurrent sign-up
 * @throws {UnavailableDatabase} when the id is taken: rows were copied in without raising the sequence of ids
 */
export async function insertUser(
  db: Connection,
  user: NewUser & { isAdmin?: boolean; isContested?: boolean; verifiedAt: Milliseconds | null },
  now: Milliseconds,
): Promise<number | undefined> {
  const row = await db
    .insertInto('users')
    .values({
      ...nameColumns(user.username),
      ...emailColumns(user.email),
      password_hash: user.passwordHash,
      is_admin: user.isAdmin ? 1 : 0,
      is_contested: user.isContested ? 1 : 0,
      verified_at: user.verifiedAt,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (row) return row.id;
  // No clause that both engines support ignores only conflicts of these two columns: the id may be taken instead.
  if ((await findUserByEmail(db, user.email)) || (await findUserByUsername(db, user.username))) return undefined;
  throw new UnavailableDatabase(
    'IdTaken',
    'The next id of users is taken already: its sequence is behind the table. Set it to the highest id.',
  );
}

/** Adds verified accounts, whose names and emails must not be taken. @returns their ids in the order of the accounts */
export async function insertUsers(db: Connection, users: readonly (NewUser & { createdAt: Milliseconds })[]) {
  const rows = users.map(({ username, email, passwordHash, createdAt }) => ({
    ...nameColumns(username),
    ...emailColumns(email),
    password_hash: passwordHash,
    verified_at: createdAt,
    created_at: createdAt,
  }));
  const inserted = await db.insertInto('users').values(rows).returning('id').execute();
  return inserted.map((row) => row.id).sort((a, b) => a - b);
}

/**
 * Deletes an unverified account to free its username and email. An account that is being verified concurrently stays.
 */
export async function deleteUnverified(db: Connection, userId: number): Promise<void> {
  await db.deleteFrom('users').where('id', '=', userId).where('verified_at', 'is', null).execute();
}

/** Marks the mailbox as verified. A contested account loses its password. */
export async function markVerified(
  db: Connection,
  { id, is_contested: isContested }: Pick<UserRow, 'id' | 'is_contested'>,
  now: Milliseconds,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ verified_at: now, ...(isContested === 1 && { password_hash: NO_PASSWORD }) })
    .where('id', '=', id)
    .execute();
  await noteAct(db, 'verified', now);
}

/**
 * Replaces a password hash that was read before this transaction began, and locks the row until the transaction ends: a
 * concurrent reset happens entirely before or entirely after it.
 * @param hash the same hash again only checks that it is unchanged
 * @returns the user's name and why they are blocked, if they are; undefined when the old hash is no longer stored
 */
export async function replacePassword(
  db: Connection,
  { id, password_hash: before }: Pick<UserRow, 'id' | 'password_hash'>,
  hash: string,
): Promise<Pick<UserRow, 'username' | 'blocked_reason'> | undefined> {
  return db
    .updateTable('users')
    .set({ password_hash: hash })
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .returning(['username', 'blocked_reason'])
    .executeTakeFirst();
}

/** Sets the password that the owner of the mailbox has chosen: the account is no longer contested. */
export async function setPassword(db: Connection, userId: number, passwordHash: string): Promise<void> {
  const values = { password_hash: passwordHash, is_contested: 0 };
  await db.updateTable('users').set(values).where('id', '=', userId).execute();
}

type PasscodeColumns = Pick<StoredRow<'passcodes'>, 'salt' | 'code_hash' | 'expires_at'>;

/** Replaces the previous code: only the newest one of a purpose is valid. */
export async function storePasscode(db: Connection, userId: number, purpose: string, code: PasscodeColumns) {
  const values = { ...code, tries: 0 };
  await db
    .insertInto('passcodes')
    .values({ user_id: userId, purpose, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(values))
    .execute();
}

export async function setPasscodeExpiry(db: Connection, userId: number, purpose: string, expiresAt: Milliseconds) {
  await db
    .updateTable('passcodes')
    .set({ expires_at: expiresAt })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .execute();
}

/**
 * A usable code has had fewer tries than `triesMax` and expires in the future, but no later than a new code would: the
 * clock may have been set back since the code was made.
 */
interface UsableBounds {
  triesMax: number;
  expiresAfter: Milliseconds;
  expiresBefore: Milliseconds;
}

const isUsable =
  (userId: number, purpose: string, bounds: UsableBounds) => (row: ExpressionBuilder<Tables, 'passcodes'>) =>
    row.and([
      row('user_id', '=', userId),
      row('purpose', '=', purpose),
      row('tries', '<', bounds.triesMax),
      row('expires_at', '>', bounds.expiresAfter),
      row('expires_at', '<', bounds.expiresBefore),
    ]);

export function hasUsablePasscode(db: Connection, userId: number, purpose: string, bounds: UsableBounds) {
  const codes = db.selectFrom('passcodes').select('tries');
  return hasRow(codes.where(isUsable(userId, purpose, bounds)));
}

/** Counts a try before the code is compared, so that concurrent tries cannot exceed the limit. */
export function takePasscodeTry(db: Connection, userId: number, purpose: string, bounds: UsableBounds) {
  return db
    .updateTable('passcodes')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where(isUsable(userId, purpose, bounds))
    .returning(['salt', 'code_hash'])
    .executeTakeFirst();
}

/** @param purpose default: the codes of all purposes are deleted */
export async function deletePasscodes(db: Connection, userId: number, purpose?: string): Promise<void> {
  await db
    .deleteFrom('passcodes')
    .where('user_id', '=', userId)
    .$if(purpose !== undefined, (query) => query.where('purpose', '=', purpose as string))
    .execute();
}

/** Deletes all sessions and codes: restoring a copy of the database must not make them valid again. */
export async function endSessions(db: Connection): Promise<void> {
  for (const table of ['sessions', 'passcodes'] as const) await db.deleteFrom(table).execute();
}

interface Expiries {
  now: Milliseconds;
  sessionsCreatedBefore: Milliseconds;
  unverifiedCreatedBefore: Milliseconds;
}

/**
 * The mails with a purpose that are counted in the open window of a key or queued, and the window's end. One statement
 * reads both, because the transaction that claims a mail moves it from the queue into the window. With two statements,
 * a mail that is claimed in between counts twice or not at all.
 */
export async function countMails(db: Connection, purpose: string, key: string, now: Milliseconds) {
  const window = db.selectFrom('throttles').where('key', '=', key).where('ends_at', '>', now);
  const { queued, counted, endsAt } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('queued'),
      window.select('count').as('counted'),
      window.select('ends_at').as('endsAt'),
    ])
    .where('purpose', '=', purpose)
    .where('counted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { count: queued + (counted ?? 0), endsAt };
}

/** Removes expired sessions and passcodes, and accounts that were not verified in time. */
export async function deleteExpired(db: Connection, expiries: Expiries): Promise<void> {
  await db.deleteFrom('sessions').where('created_at', '<', expiries.sessionsCreatedBefore).execute();
  await db.deleteFrom('passcodes').where('expires_at', '<', expiries.now).execute();
  await db
    .deleteFrom('users')
    .where('verified_at', 'is', null)
    .where('created_at', '<', expiries.unverifiedCreatedBefore)
    .execute();
}
