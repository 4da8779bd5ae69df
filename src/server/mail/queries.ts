import type { Connection } from '../database/database.ts';
import { hasRow } from '../database/found-rows.ts';
import { locking } from '../database/lock-row.ts';
import type { Milliseconds } from '../database/tables.ts';

export interface NewMail<Purpose extends string> {
  readonly purpose: Purpose;
  /** The recipient. */
  readonly userId: number;
  readonly subjectId?: number;
}

/** Queues a mail, if the user exists. @param dueAt when it is to be sent; its age counts from then on */
export async function insertMail(db: Connection, { purpose, userId, subjectId }: NewMail<string>, dueAt: Milliseconds) {
  await db
    .insertInto('outbox')
    .columns(['purpose', 'user_id', 'subject_id', 'created_at', 'due_at'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((user) => [
          user.val(purpose).as('purpose'),
          'id',
          user.val(subjectId ?? null).as('subject'),
          user.val(dueAt).as('created'),
          user.val(dueAt).as('due'),
        ])
        .where('id', '=', userId),
    )
    .execute();
}

/**
 * The mail that has been due for longest, locked until the transaction ends. With SKIP LOCKED, processes do not wait
 * for each other's mails.
 */
export function lockDueMail(db: Connection, now: Milliseconds) {
  const due = db.selectFrom('outbox').selectAll().where('due_at', '<=', now).orderBy('due_at').orderBy('id').limit(1);
  return locking(db, due, { skip: true }).executeTakeFirst();
}

/** When the next mail is due; undefined when the queue is empty. */
export async function findNextDue(db: Connection): Promise<Milliseconds | undefined> {
  const next = await db.selectFrom('outbox').select('due_at').orderBy('due_at').limit(1).executeTakeFirst();
  return next?.due_at;
}

/** Marks a mail as in flight. @param dueAt when another process may take it, in case this one has ended */
export async function markInFlight(
  db: Connection,
  id: number,
  { dueAt, countedAt }: { dueAt: Milliseconds; countedAt: Milliseconds },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set((row) => ({ due_at: dueAt, attempts: row('attempts', '+', 1), counted_at: countedAt }))
    .where('id', '=', id)
    .execute();
}

/** Puts a mail back into the queue until `dueAt`. */
export async function postponeMail(db: Connection, id: number, dueAt: Milliseconds): Promise<void> {
  await db.updateTable('outbox').set({ due_at: dueAt, counted_at: null }).where('id', '=', id).execute();
}

export async function deleteMail(db: Connection, id: number): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).execute();
}

/** Deletes queued mails with a purpose: a newer request replaces them. */
export async function deleteQueuedMails(db: Connection, userId: number, purpose: string): Promise<void> {
  await db.deleteFrom('outbox').where('user_id', '=', userId).where('purpose', '=', purpose).execute();
}

export function hasQueuedMail(db: Connection, userId: number, purpose: string): Promise<boolean> {
  return hasRow(db.selectFrom('outbox').select('id').where('user_id', '=', userId).where('purpose', '=', purpose));
}

/** The mails that wait, oldest first. */
export function listQueued(db: Connection) {
  return db
    .selectFrom('outbox')
    .select(['id', 'purpose', 'user_id as userId', 'created_at as createdAt', 'due_at as dueAt', 'attempts'])
    .orderBy('id')
    .execute();
}

/** The number of queued mails, and since when the oldest has waited: for a mail not tried yet, since it became due. */
export function measureQueue(db: Connection) {
  return db
    .selectFrom('outbox')
    .select(({ fn, eb }) => {
      const since = eb.case().when('attempts', '=', 0).then(eb.ref('due_at')).else(eb.ref('created_at')).end();
      return [fn.countAll<number>().as('queued'), fn.min<Milliseconds | null>(since).as('oldest')];
    })
    .executeTakeFirstOrThrow();
}

/** Makes a mail due at once, unless it is in flight. @returns undefined when there is no such mail */
export function makeDue(db: Connection, id: number, now: Milliseconds) {
  return db
    .updateTable('outbox')
    .set({ due_at: now })
    .where('id', '=', id)
    .where('counted_at', 'is', null)
    .returning(['purpose', 'user_id as userId'])
    .executeTakeFirst();
}

/** Empties the queue of a restored copy: its mails have been sent since the copy was made. */
export async function deleteAllMails(db: Connection): Promise<void> {
  await db.deleteFrom('outbox').execute();
}
