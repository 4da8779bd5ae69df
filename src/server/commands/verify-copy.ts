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
 * Checks that a copy is complete and undamaged.
 * @param name of the file, for the error message
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
 * Prepares a copy of an untrusted file to become the database: checks that it is undamaged and contains no trigger or
 * view but the product's own, then deletes its sessions, codes and pending mails.
 * @param name of the file, for the error message
 */
export async function prepareBackup(path: string, name: string): Promise<RowCounts> {
  const connection = connectSqliteCopy(path);
  const { kysely } = connection;
  try {
    // Before any other query: a view may have the name of a table.
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

/** Checks that a file has the product's tables, passes SQLite's own checks, and that its counters match its rows. */
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

/** Adds the name of the file to an error. */
async function naming<T>(name: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
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
