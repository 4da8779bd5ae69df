import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';

const ONLY_ROW = 1;

/** When the admins were last told; undefined if never. */
export async function findLastMail(db: Connection): Promise<Milliseconds | undefined> {
  const row = db.selectFrom('waiting_mails').select('mailed_at').where('id', '=', ONLY_ROW);
  return (await row.executeTakeFirst())?.mailed_at;
}

/** When the newest open report, appeal or proposal came; undefined when none waits. */
export async function findNewestWaiting(db: Connection): Promise<Milliseconds | undefined> {
  const newestOf = (table: 'reports' | 'appeals') =>
    db
      .selectFrom('moderation_items')
      .innerJoin(table, `${table}.review_id`, 'moderation_items.review_id')
      .select(({ fn }) => fn.max<Milliseconds | null>(`${table}.created_at`).as('at'))
      .where('moderation_items.opened_at', 'is not', null)
      .where('moderation_items.is_burst_only', '=', 0)
      .where(`${table}.decided_at`, 'is', null)
      .executeTakeFirst();
  const proposal = await db
    .selectFrom('proposals')
    .select('created_at as at')
    .where('state', '=', 'open')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const found = [await newestOf('reports'), await newestOf('appeals'), proposal].map((row) => row?.at ?? 0);
  return Math.max(...found) || undefined;
}

/** Notes that the admins are told now, unless another process has told them since `before`. @returns whether it was noted */
export async function noteMail(db: Connection, before: Milliseconds, now: Milliseconds): Promise<boolean> {
  const row = await db
    .insertInto('waiting_mails')
    .values({ id: ONLY_ROW, mailed_at: now })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ mailed_at: now }).where('waiting_mails.mailed_at', '<=', before),
    )
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const admins = (db: Connection) =>
  db.selectFrom('users').select(['id', 'email']).where('is_admin', '=', 1).where('verified_at', 'is not', null);

export async function listAdminIds(db: Connection): Promise<number[]> {
  return (await admins(db).orderBy('id').execute()).map(({ id }) => id);
}

/** The mailbox of somebody who is still an admin. */
export async function findAdminMailbox(db: Connection, userId: number): Promise<string | undefined> {
  return (await admins(db).where('id', '=', userId).executeTakeFirst())?.email;
}
