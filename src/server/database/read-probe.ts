import { sql } from 'kysely';
import type { Connection } from './database.ts';

/** Asks a database for nothing but an answer. @throws when there is none */
export async function requireAnswer(db: Connection): Promise<void> {
  await sql`select 1`.execute(db);
}
