import { DAY, HOUR } from '../../../contract/durations.ts';
import {
  ACCOUNT_HISTORY_DAYS,
  type AccountMail,
  type RefusalReason,
  type UserState,
} from '../../../contract/user-state.ts';
import type { Connection } from '../../database/database.ts';
import { countFound } from '../../database/found-rows.ts';
import { writeInstant } from '../../database/instants.ts';
import { locking } from '../../database/lock-row.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { allReviews } from '../../visibility/queries.ts';
import type { AccountMailPurpose } from '../mail-quotas.ts';
import { NOBODY } from '../queries.ts';
import type { UserMailPurpose } from '../users/mails.ts';

/** How many refusals with one reason are recorded for an account within an hour: guesses must not fill the disk. */
const RECORDED_MAX = 20;

/** How many refused logins, and how many mails, an answer lists. */
const LISTED_MAX = 100;

/** The mails whose outcome is recorded. */
export type RecordedPurpose = AccountMailPurpose | UserMailPurpose;

/** The name of each mail in the answers to admins and owners. */
export const MAIL_NAMES: Readonly<Record<RecordedPurpose, AccountMail>> = {
  verify: 'signup',
  reset: 'reset',
  'password-changed': 'changed',
  email: 'email',
  'email-asked': 'email',
  'email-changed': 'email',
  'user-blocked': 'blocked',
};

const keptSince = (now: Milliseconds) => now - ACCOUNT_HISTORY_DAYS * DAY;

/**
 * Records a refused login.
 * @param userId undefined when the mailbox has no account: nothing is recorded, at the same cost
 */
export async function recordRefusedLogin(
  db: Connection,
  userId: number | undefined,
  reason: RefusalReason,
  now: Milliseconds,
): Promise<void> {
  const id = userId ?? NOBODY;
  // Two statements, because a distributed database does not take them as one. Of concurrent refusals, a few more than
  // `RECORDED_MAX` may be recorded.
  const refused = db
    .selectFrom('refused_logins')
    .where('user_id', '=', id)
    .where('refused_at', '>', now - HOUR);
  const recorded = await countFound(refused.where('reason', '=', reason));
  await db
    .insertInto('refused_logins')
    .columns(['user_id', 'reason', 'refused_at'])
    .expression((from) =>
      from
        .selectFrom('users')
        .select((user) => ['id', user.val(reason).as('reason'), user.val(now).as('now')])
        .where('id', '=', recorded < RECORDED_MAX ? id : NOBODY),
    )
    .execute();
}

/** Records the day of a login and not the time: when somebody uses the site is their own business. */
export async function recordLogin(db: Connection, userId: number, now: Milliseconds): Promise<void> {
  const day = now - (now % DAY);
  await db
    .updateTable('users')
    .set({ last_login_on: day })
    .where('id', '=', userId)
    .where((row) => row.or([row('last_login_on', 'is', null), row('last_login_on', '!=', day)]))
    .execute();
}

/** Records the outcome of a mail that has left the queue, unless its user was deleted meanwhile. */
export async function recordMail(
  db: Connection,
  userId: number,
  purpose: RecordedPurpose,
  state: 'handedOver' | 'failed',
  now: Milliseconds,
): Promise<void> {
  // Two statements: a distributed database locks no rows in an INSERT.
  const user = db.selectFrom('users').select('id').where('id', '=', userId);
  if (!(await locking(db, user, { strength: 'keyShare' }).executeTakeFirst())) return;
  await db
    .insertInto('account_mails')
    .values({ user_id: userId, purpose: MAIL_NAMES[purpose], state, ended_at: now })
    .execute();
}

export async function listRefusedLogins(
  db: Connection,
  userId: number,
  now: Milliseconds,
): Promise<UserState['refusedLogins']> {
  const rows = await db
    .selectFrom('refused_logins')
    .select(['reason', 'refused_at'])
    .where('user_id', '=', userId)
    .where('refused_at', '>', keptSince(now))
    .orderBy('refused_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();
  // Safe: only recordRefusedLogin writes the reason.
  return rows.map(({ reason, refused_at }) => ({ at: writeInstant(refused_at), reason: reason as RefusalReason }));
}

/** Queued mails and those of the last days, newest first. */
export async function listMails(db: Connection, userId: number, now: Milliseconds): Promise<UserState['mails']> {
  const queued = await db
    .selectFrom('outbox')
    .select(['purpose', 'created_at'])
    .where('user_id', '=', userId)
    .where('purpose', 'in', Object.keys(MAIL_NAMES))
    .execute();
  const ended = await db
    .selectFrom('account_mails')
    .select(['purpose', 'state', 'ended_at'])
    .where('user_id', '=', userId)
    .where('ended_at', '>', keptSince(now))
    .orderBy('ended_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_MAX)
    .execute();
  return [
    // Queued mails are few, and no index orders them.
    ...queued
      .sort((one, other) => other.created_at - one.created_at)
      .map(({ purpose, created_at }) => ({
        // Safe: the query finds only purposes with a name.
        purpose: MAIL_NAMES[purpose as RecordedPurpose],
        state: 'queued' as const,
        at: writeInstant(created_at),
      })),
    // Safe: only recordMail writes purpose and state.
    ...ended.map(({ purpose, state, ended_at }) => ({
      purpose: purpose as AccountMail,
      state: state as 'handedOver' | 'failed',
      at: writeInstant(ended_at),
    })),
  ];
}

/** Counts a user's signed reviews, hidden ones too: the number must not change with a decision about a review. */
export function countSignedReviews(db: Connection, userId: number): Promise<number> {
  const signed = allReviews(db).where('user_id', '=', userId).where('username', 'is not', null);
  return countFound(signed.where('withdrawn_at', 'is', null));
}

export async function findLastLogin(db: Connection, userId: number): Promise<Milliseconds | null> {
  const user = db.selectFrom('users').select('last_login_on').where('id', '=', userId);
  return (await user.executeTakeFirst())?.last_login_on ?? null;
}

/** Removes records that are older than `ACCOUNT_HISTORY_DAYS`. */
export async function deleteOldRecords(db: Connection, now: Milliseconds): Promise<void> {
  await db.deleteFrom('refused_logins').where('refused_at', '<=', keptSince(now)).execute();
  await db.deleteFrom('account_mails').where('ended_at', '<=', keptSince(now)).execute();
}
