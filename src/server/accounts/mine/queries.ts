import { HOUR } from '../../../contract/durations.ts';
import { FORMER_NAME_DAYS, type MyData, NEW_EMAIL_HOURS } from '../../../contract/my-account.ts';
import type { Connection } from '../../database/database.ts';
import { hasRow } from '../../database/found-rows.ts';
import { writeInstant } from '../../database/instants.ts';
import { locking } from '../../database/lock-row.ts';
import { onSameSchool } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { allReviews } from '../../visibility/queries.ts';
import { emailColumns, nameColumns } from '../queries.ts';

/** How long the notice to a former mailbox may wait for a mail server. */
const NOTICE_WAIT_MAX = 7 * 24 * HOUR;

/** A name that was given up before this time is no longer reserved. */
const reservedSince = (now: Milliseconds) => now - FORMER_NAME_DAYS * 24 * HOUR;

/** A change of an email that was requested before this time has expired. */
const pendingSince = (now: Milliseconds) => now - NEW_EMAIL_HOURS * HOUR;

/** Whether anybody has given up a name. The hashes of such names depend on TOKEN_SECRET. */
export function hasFormerNames(db: Connection): Promise<boolean> {
  return hasRow(db.selectFrom('former_names').select('name_hash').limit(1));
}

/** Whether somebody else gave up a name with one of these hashes lately. */
export async function isReservedForAnother(
  db: Connection,
  hashes: readonly string[],
  userId: number | undefined,
  now: Milliseconds,
): Promise<boolean> {
  const rows = await db
    .selectFrom('former_names')
    .select('user_id')
    .where('name_hash', 'in', hashes)
    .where('changed_at', '>', reservedSince(now))
    .execute();
  return rows.some((row) => row.user_id === null || row.user_id !== userId);
}

/** When a user was last renamed; undefined if never, or so long ago that the former name is no longer stored. */
export async function findLastRename(db: Connection, userId: number): Promise<Milliseconds | undefined> {
  const row = await db
    .selectFrom('former_names')
    .select((select) => select.fn.max('changed_at').as('at'))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** Reserves the name that a user has given up, and gives them the new one. @throws when that is taken */
export async function renameUser(
  db: Connection,
  { id, username, nameHash }: { id: number; username: string; nameHash: string },
  now: Milliseconds,
): Promise<void> {
  const values = { user_id: id, changed_at: now };
  await db
    .insertInto('former_names')
    .values({ name_hash: nameHash, ...values })
    .onConflict((conflict) => conflict.column('name_hash').doUpdateSet(values))
    .execute();
  await db.updateTable('users').set(nameColumns(username)).where('id', '=', id).execute();
}

/** Stores a change of a user's email, instead of the pending one, if any. @returns its id */
export async function replaceEmailChange(
  db: Connection,
  change: { userId: number; oldEmail: string; newEmail: string },
  now: Milliseconds,
): Promise<number> {
  const values = { old_email: change.oldEmail, new_email: change.newEmail, asked_at: now };
  const { id } = await db
    .insertInto('email_changes')
    .values({ user_id: change.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').where('changed_at', 'is', null).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The pending change of a user's email. */
const pendingChange = (db: Connection, userId: number, now: Milliseconds) =>
  db
    .selectFrom('email_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('changed_at', 'is', null)
    .where('asked_at', '>', pendingSince(now));

export async function findPendingEmail(db: Connection, userId: number, now: Milliseconds): Promise<string | undefined> {
  return (await pendingChange(db, userId, now).executeTakeFirst())?.new_email;
}

/** The pending change, locked: a code must not be mailed to one mailbox while another one takes its place. */
export function lockEmailChange(db: Connection, userId: number, now: Milliseconds) {
  return locking(db, pendingChange(db, userId, now)).executeTakeFirst();
}

export function findEmailChange(db: Connection, id: number) {
  return db.selectFrom('email_changes').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function deleteEmailChange(db: Connection, id: number): Promise<void> {
  await db.deleteFrom('email_changes').where('id', '=', id).execute();
}

/** @throws a unique violation when another account has the email */
export async function setEmail(
  db: Connection,
  change: { id: number; userId: number; newEmail: string },
  now: Milliseconds,
): Promise<void> {
  await db.updateTable('users').set(emailColumns(change.newEmail)).where('id', '=', change.userId).execute();
  await db.updateTable('email_changes').set({ changed_at: now }).where('id', '=', change.id).execute();
}

/** Removes reservations of names that have ended, and changes of emails that have expired or were made long ago. */
export async function deleteOldChanges(db: Connection, now: Milliseconds): Promise<void> {
  await db.deleteFrom('former_names').where('changed_at', '<=', reservedSince(now)).execute();
  await db
    .deleteFrom('email_changes')
    .where('asked_at', '<=', pendingSince(now))
    .where((row) => row.or([row('changed_at', 'is', null), row('changed_at', '<=', now - NOTICE_WAIT_MAX)]))
    .execute();
}

export function listSessions(db: Connection, userId: number) {
  return db.selectFrom('sessions').select(['id', 'created_at', 'used_at']).where('user_id', '=', userId).execute();
}

/** A user's messages to the admins about reviews: appeals and reports. */
export async function listWrittenToAdmins(
  db: Connection,
  userId: number,
): Promise<Pick<MyData, 'appeals' | 'reports'>> {
  const appeals = await allReviews(db)
    .innerJoin('appeals', onSameSchool('appeals.review_id', 'reviews.id'))
    .select(['appeals.review_id as reviewId', 'appeals.body as text', 'appeals.created_at'])
    .where('reviews.user_id', '=', userId)
    .execute();
  const reports = await db
    .selectFrom('reports')
    .select(['review_id as reviewId', 'reason', 'note', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return {
    appeals: appeals.map(({ created_at, ...appeal }) => ({ ...appeal, createdAt: writeInstant(created_at) })),
    reports: reports.map(({ created_at, note, reason, reviewId }) => ({
      reviewId,
      // Safe: only reports with a reason of the contract are stored.
      reason: reason as MyData['reports'][number]['reason'],
      ...(note !== null && { note }),
      createdAt: writeInstant(created_at),
    })),
  };
}

/** The reviews that a user marked as helpful. */
export async function listMarks(db: Connection, userId: number): Promise<number[]> {
  const marks = db.selectFrom('helpful_marks').select('review_id').where('user_id', '=', userId).orderBy('review_id');
  return (await marks.execute()).map((row) => row.review_id);
}

/** The schools that a user saved, newest first. */
export async function listSaved(db: Connection, userId: number): Promise<MyData['savedSchools']> {
  const rows = await db
    .selectFrom('saved_schools')
    .innerJoin('schools', 'schools.id', 'saved_schools.school_id')
    .select(['saved_schools.school_id as schoolId', 'schools.school_name as schoolName', 'saved_at'])
    .where('saved_schools.user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .execute();
  return rows.map(({ saved_at, ...school }) => ({ ...school, savedAt: writeInstant(saved_at) }));
}

/**
 * Deletes a user's appeals and the notes of their reports. The reports stay, and name nobody. The name is not left to
 * the deletion of the account: a second update checks the review, and deadlocks with a withdrawal of it.
 */
export async function eraseWrittenToAdmins(db: Connection, userId: number): Promise<void> {
  const own = allReviews(db).select(['id', 'school_id']).where('user_id', '=', userId);
  await db
    .deleteFrom('appeals')
    .where((row) => row(row.refTuple('review_id', 'school_id'), 'in', own.$asTuple('id', 'school_id')))
    .execute();
  await db.updateTable('reports').set({ user_id: null, note: null }).where('user_id', '=', userId).execute();
}
