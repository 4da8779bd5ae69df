import { readFileSync } from 'node:fs';
import type { Connection } from './database.ts';
import { UnusableDatabase } from './failures.ts';

/** The version of this process, such as 0.2.0. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;

const NUMERIC = new Intl.Collator('en', { numeric: true });

/**
 * The statement of a migration that removes something which older versions use: from its commit on, their processes
 * are not ready.
 * @param oldest the oldest version that still works on the schema
 */
export function serveFrom(oldest: string): string {
  return `update served_versions set oldest = '${oldest}'`;
}

/**
 * Checks that the schema still has everything that this version uses: a newer version may have changed it.
 * @throws {UnusableDatabase} when something is missing; or the error of a database that does not answer
 */
export async function requireServed(db: Connection): Promise<void> {
  const { oldest } = await db.selectFrom('served_versions').select('oldest').executeTakeFirstOrThrow();
  if (NUMERIC.compare(VERSION, oldest) >= 0) return;
  throw new UnusableDatabase(
    `The database serves version ${oldest} and newer, and this process is version ${VERSION}: replace it.`,
  );
}
