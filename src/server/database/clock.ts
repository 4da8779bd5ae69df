import { sql } from 'kysely';
import type { Database, DatabaseStatistics } from './database.ts';
import type { Milliseconds } from './tables.ts';

/**
 * @param now this process's clock
 * @returns by how many milliseconds it is ahead of the database's; 0 on SQLite, which has none
 */
export async function measureClock(
  { engine, read }: Pick<Database, 'engine' | 'read'>,
  now: () => Milliseconds,
): Promise<number> {
  if (engine === 'sqlite') {
    // So that this fails on both engines when the database does not answer.
    await sql`select 1`.execute(read);
    return 0;
  }
  const before = now();
  const { rows } = await sql<{ now: number }>`
    select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`.execute(read);
  // The database has read its clock about halfway between the two times here.
  return (before + now()) / 2 - Number(rows[0]?.now ?? before);
}

/** The statistics of an engine without connections and replicas. */
export const NO_STATISTICS: DatabaseStatistics = { connections: undefined, replicas: undefined };
