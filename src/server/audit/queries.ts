import type { AdminAct } from '../../contract/audit.ts';
import type { Call } from '../../contract/call.ts';
import type { Connection } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { Caller } from '../http/router.ts';

/** Who stands in the trail for what is done by a command on the machine itself. */
const COMMAND_LINE = 'command line';

/** Notes what an admin does, in the unit that does it: neither happens without the other. */
export async function noteAct(
  db: Connection,
  caller: Caller,
  { name }: Call,
  target: string,
  now: Milliseconds,
): Promise<void> {
  const { userId, username } = caller;
  await insertAct(db, { user_id: userId, username, act: name, target, happened_at: now });
}

/** Notes what somebody at the command line does to an admin's rights. */
export async function noteCommand(db: Connection, act: string, target: string, now: Milliseconds): Promise<void> {
  await insertAct(db, { user_id: null, username: COMMAND_LINE, act, target, happened_at: now });
}

interface Act {
  user_id: number | null;
  username: string;
  act: string;
  target: string;
  happened_at: Milliseconds;
}

async function insertAct(db: Connection, act: Act): Promise<void> {
  await db.insertInto('admin_acts').values(act).execute();
}

/** @param before only acts with a smaller id */
export async function listActs(db: Connection, limit: number, before: number | undefined): Promise<AdminAct[]> {
  const rows = await db
    .selectFrom('admin_acts')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    at: new Date(row.happened_at).toISOString(),
    userId: row.user_id,
    username: row.username,
    act: row.act,
    target: row.target,
  }));
}
