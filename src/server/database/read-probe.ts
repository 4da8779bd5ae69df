import { sql } from 'kysely';
import type { Connection } from './database.ts';

/** Checks that a database answers. @throws when it does not */
export async function requireAnswer(db: Connection): Promise<void> {
  await sql`select 1`.execute(db);
}
