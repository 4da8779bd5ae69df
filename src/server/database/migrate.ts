import { sql } from 'kysely';
import { type Connection, type Database, isPostgres } from './database.ts';
import { UnusableDatabase } from './failures.ts';
import * as firstTables from './migrations/001-first-tables.ts';
import {
  aliases,
  blockedUsers,
  bursts,
  contestedAccounts,
  mailSubjects,
  newestReviews,
  noTruncate,
  reviewBackground,
  savedSchools,
  userIndexes,
  vietnam,
} from './migrations/001-to-022-short.ts';
import * as adminActs from './migrations/003-admin-acts.ts';
import * as auditEntries from './migrations/007-audit-entries.ts';
import * as reviewCounts from './migrations/009-review-counts.ts';
import * as reviewStates from './migrations/012-review-states.ts';
import * as reviewReading from './migrations/014-review-reading.ts';
import * as countryNames from './migrations/017-country-names.ts';
import * as mergedSchools from './migrations/018-merged-schools.ts';
import * as proposals from './migrations/019-proposals.ts';
import * as deletions from './migrations/020-deletions.ts';
import * as aliasKeys from './migrations/021-alias-keys.ts';
import {
  changeLog,
  noRatingIndex,
  noReplace,
  queueIndex,
  queueOrder,
  replicaBeats,
  schoolsOfProposals,
  servedVersions,
  waitingMails,
} from './migrations/023-to-055-short.ts';
import * as acceptedByNewAccounts from './migrations/024-accepted-by-new-accounts.ts';
import * as uncheckedAdditions from './migrations/027-unchecked-additions.ts';
import * as recordedState from './migrations/029-recorded-state.ts';
import * as schoolIds from './migrations/030-school-ids.ts';
import * as filledState from './migrations/031-filled-state.ts';
import * as filledSkeletons from './migrations/033-filled-skeletons.ts';
import * as usernameSkeletons from './migrations/033-username-skeletons.ts';
import * as heldHides from './migrations/034-held-hides.ts';
import * as proposalReviews from './migrations/037-proposal-reviews.ts';
import * as accountChanges from './migrations/040-account-changes.ts';
import * as accountSeen from './migrations/044-account-seen.ts';
import * as siteNumbers from './migrations/045-site-numbers.ts';
import { entrySchools, indexesOfSchools, replacedIndexes } from './migrations/060-entry-schools.ts';
import { requireServed } from './served-versions.ts';

/** The parts of a table definition that differ between the two engines. */
export interface ColumnTypes {
  engine: Database['engine'];
  /** An id that the database assigns and never reuses. */
  id: string;
  integer: string;
  /** Text compared and ordered by code point on both engines. */
  key: string;
  /** Written after the closing bracket of a table. */
  tableOptions: string;
}

/** Runs after the statements of a migration and writes values that SQL cannot compute. */
export type Fill = (db: Connection) => Promise<void>;

/**
 * A migration that takes hardly any time, however many rows there are: on PostgreSQL it locks every table, and all
 * requests wait for it.
 */
export interface QuickMigration {
  readonly name: string;
  readonly statements: (types: ColumnTypes) => readonly string[];
  readonly fill?: Fill;
}

/**
 * A migration that takes longer the more rows there are. On PostgreSQL it runs in steps while others read and write; if
 * it is interrupted, it runs again from the beginning.
 */
export interface SlowMigration {
  readonly name: string;
  readonly statements?: undefined;
  /** `create index …` on tables that have rows. */
  readonly indexes?: readonly string[] | ((types: ColumnTypes) => readonly string[]);
  /**
   * Changes some thousand rows that still need it. It is called until it has changed none, on PostgreSQL in a
   * transaction of its own each time.
   * @returns 0 when it has changed none
   */
  readonly backfill?: (db: Connection) => Promise<number>;
}

export type Migration = QuickMigration | SlowMigration;

/**
 * Called for each migration when it has run. The migrations that make the tables of an empty database are reported as
 * one. Migrations that share a transaction are committed together, after these calls.
 */
export type MigrationListener = (name: string, seconds: number) => void;

/** In the order of their numbers. Forward only, and never edited once released. */
export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  userIndexes,
  adminActs,
  newestReviews,
  contestedAccounts,
  noTruncate,
  auditEntries,
  mailSubjects,
  reviewCounts,
  reviewBackground,
  aliases,
  reviewStates,
  savedSchools,
  reviewReading,
  blockedUsers,
  bursts,
  countryNames,
  mergedSchools,
  proposals,
  deletions,
  aliasKeys,
  vietnam,
  servedVersions,
  acceptedByNewAccounts,
  queueOrder,
  queueIndex,
  uncheckedAdditions,
  noReplace,
  recordedState,
  schoolIds,
  filledState,
  usernameSkeletons,
  filledSkeletons,
  heldHides,
  schoolsOfProposals,
  proposalReviews,
  accountChanges,
  accountSeen,
  siteNumbers,
  waitingMails,
  changeLog,
  replicaBeats,
  noRatingIndex,
  entrySchools,
  indexesOfSchools,
  replacedIndexes,
];

const SQLITE_TYPES: ColumnTypes = {
  engine: 'sqlite',
  id: 'integer primary key autoincrement',
  integer: 'integer',
  key: 'text',
  tableOptions: 'strict',
};

const POSTGRES_TYPES: ColumnTypes = {
  engine: 'postgres',
  id: 'bigint generated by default as identity primary key',
  integer: 'bigint',
  key: 'text collate "C"',
  tableOptions: '',
};

const typesOf = (db: Connection) => (isPostgres(db) ? POSTGRES_TYPES : SQLITE_TYPES);

const tooNew = (applied: number) =>
  new UnusableDatabase(
    `The database was made by a newer version (migration ${applied}; this one knows ${MIGRATIONS.length}). Nothing was changed.`,
  );

/**
 * Checks which migrations an SQLite file has.
 * @returns how many were applied
 * @throws when the tables are not the product's or were made by a newer version
 */
export async function checkMigrations(db: Connection): Promise<number> {
  const { rows } = await sql`select 1 from pragma_table_info('migrations') where name in ('number', 'name')`.execute(
    db,
  );
  const applied = rows.length < 2 ? [] : await db.selectFrom('migrations').select('name').orderBy('number').execute();
  if (applied[0]?.name !== MIGRATIONS[0]?.name) throw new UnusableDatabase('It is not a database of this product.');
  if (applied.length > MIGRATIONS.length) throw tooNew(applied.length);
  return applied.length;
}

/** Whether an SQLite file has every migration of this version. */
export async function isCurrent(db: Connection): Promise<boolean> {
  return (await countApplied(db)) >= MIGRATIONS.length;
}

/**
 * Checks that the tables are those of this version, or of a newer one that serves it.
 * @throws {UnusableDatabase} when they are not
 */
export async function requireSchema({ read }: Pick<Database, 'read'>): Promise<void> {
  const applied = await countApplied(read);
  if (applied < MIGRATIONS.length) {
    const state = applied === 0 ? 'empty' : 'one of an older version';
    throw new UnusableDatabase(`The database is ${state}: start the product first, which migrates it.`);
  }
  if (applied === MIGRATIONS.length) return;
  // A file of SQLite belongs to one process, so no older version has to work beside a newer one.
  if (!isPostgres(read)) throw tooNew(applied);
  await requireServed(read);
}

/** How many migrations were applied; 0 for an empty database. */
export async function countApplied(db: Connection): Promise<number> {
  const findTable = isPostgres(db)
    ? sql`select 1 where to_regclass('migrations') is not null`
    : sql`select 1 from sqlite_schema where name = 'migrations'`;
  if ((await findTable.execute(db)).rows.length === 0) return 0;
  const row = await db
    .selectFrom('migrations')
    .select((select) => select.fn.max('number').as('number'))
    .executeTakeFirst();
  return row?.number ?? 0;
}

export function indexesOf(db: Connection, { indexes = [] }: SlowMigration): readonly string[] {
  return typeof indexes === 'function' ? indexes(typesOf(db)) : indexes;
}

/** Runs a migration on tables that nobody else uses until the commit, and records it as applied. */
export async function applyMigration(
  db: Connection,
  number: number,
  migration: Migration,
  onApplied: MigrationListener,
): Promise<void> {
  const start = performance.now();
  await withMigrationName(migration, async () => {
    const isQuick = migration.statements !== undefined;
    const statements = isQuick ? migration.statements(typesOf(db)) : indexesOf(db, migration);
    for (const statement of statements) await sql.raw(statement).execute(db);
    if (isQuick) await migration.fill?.(db);
    else while (await migration.backfill?.(db));
    await recordApplied(db, number, migration);
  });
  onApplied(migration.name, (performance.now() - start) / 1000);
}

export async function recordApplied(db: Connection, number: number, { name }: Migration): Promise<void> {
  await db.insertInto('migrations').values({ number, name, applied_at: Date.now() }).execute();
}

/** Adds the name of the migration to an error and keeps the error's class. */
export async function withMigrationName<T>({ name }: Migration, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) error.message = `Migration ${name}: ${error.message}`;
    throw error;
  }
}

/**
 * Applies migrations to a database that nobody else uses: an SQLite file, or a PostgreSQL database that is empty.
 * @param db a transaction, so that all are applied or none
 * @param migrations all that the database is to have
 * @throws when the database was made by a newer version; it is then left unchanged
 */
export async function migrate(
  db: Connection,
  migrations: readonly Migration[] = MIGRATIONS,
  onApplied: MigrationListener = () => {},
): Promise<void> {
  const { integer } = typesOf(db);
  await sql
    .raw(
      `create table if not exists migrations (number ${integer} primary key, name text not null, applied_at ${integer} not null)`,
    )
    .execute(db);
  const applied = await countApplied(db);
  if (applied > migrations.length) throw tooNew(applied);
  const missing = migrations.slice(applied);
  const start = performance.now();
  for (const [index, migration] of missing.entries()) {
    await applyMigration(db, applied + index + 1, migration, applied > 0 ? onApplied : () => {});
  }
  const [first, last] = [missing.at(0), missing.at(-1)];
  if (first && last && applied === 0) onApplied(`${first.name} to ${last.name}`, (performance.now() - start) / 1000);
}
