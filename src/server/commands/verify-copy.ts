import { statSync } from 'node:fs';
import { endSessions } from '../accounts/queries.ts';
import { hasLog, isSameFile, isSqliteFile } from '../database/database-file.ts';
import { isSqliteError, UnusableDatabase } from '../database/failures.ts';
import { countRows, findDamage, type RowCounts } from '../database/integrity.ts';
import { checkMigrations, isCurrent, migrate } from '../database/migrate.ts';
import { findSchemaDifference } from '../database/schema-check.ts';
import { connectSqliteCopy, type SqliteConnection } from '../database/sqlite-connection.ts';
import { deleteAllMails } from '../mail/queries.ts';
import { checkRemovals } from '../reviews/removals/check.ts';
import { CommandError, count } from './command.ts';
import { checkCounts } from './count-checks/check.ts';

/** @param database the path of the embedded database, if there is one @throws for a file that cannot be a backup */
export function requireBackup(path: string, database: string | undefined): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new CommandError(`There is no file ${path}.`);
  if (!there.isFile()) throw new CommandError(`${path} is not a file.`);
  if (database !== undefined && isSameFile(path, database))
    throw new CommandError(`${path} is the database itself; name a backup.`);
  if (!isSqliteFile(path)) throw new CommandError(`${path} is no backup: it is not an SQLite database.`);
  // A copy without the log would lack the newest commits.
  if (hasLog(path))
    throw new CommandError(`${path} is open or was not closed (${path}-wal is beside it); use a backup.`);
}

/**
 * Checks that a copy has the product's tables, passes SQLite's own checks, and that its counts match its rows. The
 * counts of a copy that lacks migrations are not checked, because the check reads the current tables.
 * @param name of the file, for the error message
 */
export async function verifyCopy(path: string, name: string): Promise<RowCounts> {
  using connection = connectSqliteCopy(path);
  await withFileName(name, () => checkMigrations(connection.kysely));
  await requireSound(connection, name);
  return await verifyCounts(connection, name);
}

/**
 * Prepares a copy of an untrusted file to become the database: checks and migrates it, then deletes its sessions, codes
 * and pending mails.
 * @param name of the file, for the error message
 */
export async function prepareBackup(path: string, name: string): Promise<RowCounts> {
  using connection = connectSqliteCopy(path);
  const rows = await migrateCopy(connection, name);
  await connection.kysely.transaction().execute(async (db) => {
    await endSessions(db);
    await deleteAllMails(db);
  });
  return rows;
}

/**
 * Migrates a copy of a file, after checking that it is undamaged and contains only the product's own triggers and
 * views.
 * @param name of the file, for the error message
 */
async function migrateCopy(connection: SqliteConnection, name: string): Promise<RowCounts> {
  const { kysely } = connection;
  // Before any other query, because a view may be named like a table.
  const foreign = await withFileName(name, async () => findSchemaDifference(kysely, await checkMigrations(kysely)));
  if (foreign) throw new CommandError(`${name} is not as this product makes it: ${foreign}.`);
  await requireSound(connection, name);
  // A file of an old version gets its counts here, before they are checked.
  await withFileName(name, () => kysely.transaction().execute((db) => migrate(db)));
  return verifyCounts(connection, name);
}

function requireSound({ kysely }: SqliteConnection, name: string): Promise<void> {
  return withFileName(name, async () => {
    const [damage] = await findDamage(kysely);
    if (damage) throw new CommandError(`${name} is damaged: ${damage}.`);
  });
}

function verifyCounts({ kysely }: SqliteConnection, name: string): Promise<RowCounts> {
  return withFileName(name, async () => {
    const checks = (await isCurrent(kysely)) ? [await checkCounts(kysely), await checkRemovals(kysely)] : [];
    const [fault] = checks.flatMap(({ faults }) => faults);
    if (fault) throw new CommandError(`${name} is not consistent: ${fault}.`);
    return await countRows(kysely);
  });
}

/** Adds the name of the file to an error. */
async function withFileName<T>(name: string, check: () => Promise<T>): Promise<T> {
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
