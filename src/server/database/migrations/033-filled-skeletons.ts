import { sql } from 'kysely';
import type { Connection } from '../database.ts';
import { skeletonOf } from '../skeletons.ts';

export const name = '033-filled-skeletons';

/** Not unique, because existing names may share a skeleton. */
export const indexes = ['create index users_by_skeleton on users (username_skeleton)'];

/** How many rows a transaction changes. */
const BATCH_SIZE = 1_000;

/** Fills the skeletons of existing names. SQL does not know what letters look like. */
export async function backfill(db: Connection): Promise<number> {
  const { rows } = await sql<{ id: number; username: string }>`
    select id, username from users where username_skeleton is null limit ${BATCH_SIZE}`.execute(db);
  for (const { id, username } of rows) {
    await sql`update users set username_skeleton = ${skeletonOf(username)} where id = ${id}`.execute(db);
  }
  return rows.length;
}
