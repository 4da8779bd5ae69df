import { sql } from 'kysely';
import { type Connection, isPostgres } from './database.ts';

/** Whether the keys of this database contain the school, as those of the next release will: `tests/support/next-school-keys.ts`. */
export async function hasSchoolKeys(db: Connection): Promise<boolean> {
  if (!isPostgres(db)) return false;
  const { rows } = await sql<{ second: string | null }>`
    select pg_get_indexdef(to_regclass('reviews_pkey'), 2, true) as second`.execute(db);
  return rows[0]?.second === 'school_id';
}

/** The columns of a table that can be written. */
export async function listWrittenColumns(db: Connection, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`.execute(db);
  return rows.map(({ name }) => name);
}
