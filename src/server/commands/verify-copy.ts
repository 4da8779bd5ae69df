import { endSessions } from '../accounts/queries.ts';
import { isSqliteError, UnusableDatabase } from '../database/failures.ts';
import { countRows, findDamage, type RowCounts } from '../database/integrity.ts';
import { checkMigrations } from '../database/migrate.ts';
import { findForeignPart } from '../database/schema-check.ts';
import { connectSqliteCopy, type SqliteConnection } from '../database/sqlite-connection.ts';
import { deleteAllMails } from '../mail/queries.ts';
import { checkCounters } from '../reviews/counter-check.ts';
import { CommandError, count } from './command.ts';

/**
 * Proves that a copy is whole.
 * @param name what to call it when it is not
 */
export async function verifyCopy(path: string, name: string): Promise<RowCounts> {
  const connection = connectSqliteCopy(path);
  try {
    return await verifyDatabase(connection, name);
  } finally {
    connection.raw.close();
  }
}

/**
 * Makes a copy of a file that came from wherever ready to be the database: proves that it is whole and that nothing in
 * it works by itself but what the product has put there, then ends what was valid only when it was made.
 * @param name what to call it when it is refused
 */
export async function prepareBackup(path: string, name: string): Promise<RowCounts> {
  const connection = connectSqliteCopy(path);
  const { kysely } = connection;
  try {
    // Before anything is read by way of it: a view may stand where a table is expected.
    const foreign = await naming(name, async () => findForeignPart(kysely, await checkMigrations(kysely)));
    if (foreign) throw new CommandError(`${name} is not as this product makes it: ${foreign}.`);
    const rows = await verifyDatabase(connection, name);
    await kysely.transaction().execute(async (db) => {
      await endSessions(db);
      await deleteAllMails(db);
    });
    return rows;
  } finally {
    connection.raw.close();
  }
}

/** Proves that a file is a whole one: the product's tables, sound by SQLite's own checks, counters equal to rows. */
export function verifyDatabase({ kysely }: SqliteConnection, name: string): Promise<RowCounts> {
  return naming(name, async () => {
    await checkMigrations(kysely);
    const damage = await findDamage(kysely);
    if (damage.length > 0) throw new CommandError(`${name} is damaged: ${damage[0]}.`);
    const { faults } = await checkCounters(kysely);
    if (faults.length > 0) throw new CommandError(`${name} is not consistent: ${faults[0]}.`);
    return await countRows(kysely);
  });
}

/** Says which file it was that cannot be used. */
async function naming<T>(name: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UnusableDatabase) throw new CommandError(`${name} cannot be used. ${error.message}`);
    if (isSqliteError(error)) throw new CommandError(`${name} cannot be used: ${error.message}.`);
    throw error;
  }
}

export function describeRows({ schools, entries, reviews, users }: RowCounts): string {
  return [
    count(schools, 'school'),
    count(entries, 'entry', 'entries'),
    count(reviews, 'review'),
    count(users, 'user'),
  ].join(', ');
}
