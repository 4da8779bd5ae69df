import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Milliseconds } from './tables.ts';

/**
 * @param now the clock of this process
 * @returns by how many milliseconds it is ahead of the database's clock; 0 on SQLite, which has none
 */
export async function measureClock(
  { engine, read }: Pick<Database, 'engine' | 'read'>,
  now: () => Milliseconds,
): Promise<number> {
  if (engine === 'sqlite') {
    // Throws, as on PostgreSQL, when the database does not answer.
    await sql`select 1`.execute(read);
    return 0;
  }
  const before = now();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(read);
  // The database has read its clock about halfway between the two times here.
  return (before + now()) / 2 - Number(rows[0]?.now ?? before);
}
