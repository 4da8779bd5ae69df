import { sql } from 'kysely';
import type { Connection } from './database.ts';
import { countFound, hasRow } from './found-rows.ts';

/** The maximum number of faults in a report: a damaged file has thousands. */
const FAULTS_MAX = 10;

/** The tables that an operator knows. */
const COUNTED_TABLES = ['schools', 'entries', 'reviews', 'users'] as const;

export type RowCounts = Record<(typeof COUNTED_TABLES)[number], number>;

/**
 * Runs SQLite's own checks on a file: structure, indexes, constraints, foreign keys.
 * @returns one sentence for each fault found
 */
export async function findDamage(db: Connection): Promise<string[]> {
  const { rows: answers } = await sql<{ integrity_check: string }>`
    select integrity_check from pragma_integrity_check
  `.execute(db);
  // SQLite writes a line such as `*** in database main ***` above the faults.
  const faults = answers
    .flatMap((answer) => answer.integrity_check.split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  if (faults.length > 0) return faults.slice(0, FAULTS_MAX);
  const { rows: orphans } = await sql<{ table: string; rowid: number; parent: string }>`
    select "table", rowid, parent from pragma_foreign_key_check limit ${FAULTS_MAX}
  `.execute(db);
  return orphans.map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a row that ${parent} lacks`);
}

export async function countRows(db: Connection): Promise<RowCounts> {
  const counts = await Promise.all(
    COUNTED_TABLES.map(async (table) => [table, await countFound(db.selectFrom(table))] as const),
  );
  return Object.fromEntries(counts) as RowCounts;
}

/** Whether the database already contains schools or users. */
export async function isInUse(db: Connection): Promise<boolean> {
  const hasSchool = await hasRow(db.selectFrom('schools').select('id').limit(1));
  return hasSchool || hasRow(db.selectFrom('users').select('id').limit(1));
}
