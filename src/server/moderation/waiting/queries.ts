import type { Connection } from '../../database/database.ts';
import { countFound, hasRow, idsOf } from '../../database/found-rows.ts';
import { onSameSchool } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { measureQueue } from '../../mail/queries.ts';
import { countOpenProposals } from '../../proposals/queries.ts';
import { openItems } from '../queue/queries.ts';

const ONLY_ROW = 1;

/** When the admins were last notified; undefined if never. */
export async function findLastNotification(db: Connection): Promise<Milliseconds | undefined> {
  const row = db.selectFrom('waiting_mails').select('mailed_at').where('id', '=', ONLY_ROW);
  return (await row.executeTakeFirst())?.mailed_at;
}

/**
 * When the newest open report, appeal, proposal or review that waits without a report was sent; undefined when there is
 * none.
 */
export async function findNewestOpenRequest(db: Connection): Promise<Milliseconds | undefined> {
  const reports = await awaitedItems(db)
    .innerJoin('reports', onSameSchool('reports.review_id', 'moderation_items.review_id'))
    .select(({ fn }) => fn.max('reports.created_at').as('at'))
    .where('reports.decided_at', 'is', null)
    .executeTakeFirst();
  const appeals = await awaitedItems(db)
    .innerJoin('appeals', onSameSchool('appeals.review_id', 'moderation_items.review_id'))
    .select(({ fn }) => fn.max('appeals.created_at').as('at'))
    .where('appeals.decided_at', 'is', null)
    .executeTakeFirst();
  const undecided = await awaitedItems(db)
    .select(({ fn }) => fn.max('opened_at').as('at'))
    .where('moderation_items.decided_at', 'is', null)
    .executeTakeFirst();
  const proposal = await db
    .selectFrom('proposals')
    .select('created_at as at')
    .where('state', '=', 'open')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Math.max(...[reports, appeals, undecided, proposal].map((row) => row?.at ?? 0)) || undefined;
}

/** Open items, without those of bursts alone, for which nobody waits. */
const awaitedItems = (db: Connection) => openItems(db).where('is_burst_only', '=', 0);

/**
 * Records that the admins are notified now, unless another process did so since `before`.
 * @returns whether it was recorded
 */
export async function recordNotification(db: Connection, before: Milliseconds, now: Milliseconds): Promise<boolean> {
  const inserted = db
    .insertInto('waiting_mails')
    .values({ id: ONLY_ROW, mailed_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ mailed_at: now }).where('waiting_mails.mailed_at', '<=', before),
    )
    .returning('id');
  return hasRow(inserted);
}

const selectAdmins = (db: Connection) =>
  db.selectFrom('users').select(['id', 'email']).where('is_admin', '=', 1).where('verified_at', 'is not', null);

export async function listAdminIds(db: Connection): Promise<number[]> {
  return idsOf(await selectAdmins(db).orderBy('id').execute());
}

/** The mailbox of somebody who is still an admin. */
export async function findAdminMailbox(db: Connection, userId: number): Promise<string | undefined> {
  return (await selectAdmins(db).where('id', '=', userId).executeTakeFirst())?.email;
}

/** How many reviews and proposals are to be decided. */
export async function countOpenDecisions(db: Connection) {
  return { reviews: await countFound(openItems(db)), proposals: await countOpenProposals(db) };
}

/** The number of queued mails, since when the oldest waits, and the open decisions. */
export async function measureOpenWork(db: Connection) {
  const { queued, oldest } = await measureQueue(db);
  return { mails: queued, oldestMail: oldest, decisions: await countOpenDecisions(db) };
}
