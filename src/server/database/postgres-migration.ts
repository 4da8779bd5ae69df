import { setTimeout } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Connection } from './database.ts';
import { isCatalogRace, isLockTimeout, isSerializationFailure, UnusableDatabase } from './failures.ts';
import {
  applyMigration,
  countApplied,
  indexesOf,
  MIGRATIONS,
  type Migration,
  type MigrationListener,
  migrate,
  recordApplied,
  type SlowMigration,
  withMigrationName,
} from './migrate.ts';
import { openPool } from './postgres-pool.ts';
import { requireServed } from './served-versions.ts';
import type { DataTable } from './table-rows.ts';
import type { Tables } from './tables.ts';

/**
 * The tables in the order in which a post locks them: in another order, a migration and a post could deadlock. A test
 * compares it with the statements of a post.
 */
export const LOCK_ORDER = [
  ...[
    'throttles',
    'schools',
    'entry_schools',
    'entries',
    'reviews',
    'users',
    'review_counts',
    'relation_counts',
    'moderation_items',
  ],
  ...['held_hides', 'review_events', 'reports', 'appeals', 'helpful_marks', 'removal_heads', 'removals'],
  ...['proposals', 'proposal_reviews'],
  ...['alias_keys', 'merged_schools', 'saved_schools', 'profiles', 'former_names', 'email_changes'],
  ...['refused_logins', 'account_mails'],
  ...['sessions', 'passcodes', 'outbox'],
  ...['deletions', 'audit_entries', 'site_acts', 'site_days'],
  'waiting_mails',
] as const satisfies readonly DataTable[];

/**
 * How long a migration waits for a lock, while all requests wait for the migration. Shorter than PostgreSQL's
 * `deadlock_timeout` of 1 s, so that in a deadlock it is the migration that fails.
 */
const LOCK_TIMEOUT_MS = 500;

/** The pause after the first try, in which requests are served. It grows with each try, up to `PAUSE_FACTOR_MAX` times. */
const PAUSE_MS = 500;
const PAUSE_FACTOR_MAX = 10;
/** The maximum number of tries: about five minutes in all. */
const TRIES_MAX = 60;

/** The listeners for a migration that runs while others use the database. */
export interface MigrationProgress {
  readonly onApplied: MigrationListener;
  /** Called when a migration will be tried again, because of what somebody else does. */
  readonly onWaiting: (reason: string) => void;
}

/** Lifts the time limits that the role or the address may set. PostgreSQL before 17 does not know the last one. */
export async function liftTimeLimits(db: Connection, scope: 'local' | 'session'): Promise<void> {
  await sql`
    select set_config(name, '0', ${scope === 'local'}) from pg_settings
    where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`.execute(db);
}

async function lockTables(db: Connection): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  const there = LOCK_ORDER.filter((table) => rows.some(({ name }) => name === table));
  await sql`lock table ${sql.join(there.map((table) => sql.table(table)))} in access exclusive mode`.execute(db);
}

/** Runs migrations in one transaction. All other statements wait for it. */
async function applyQuick(
  db: Connection,
  first: number,
  migrations: readonly Migration[],
  onApplied: MigrationListener,
): Promise<void> {
  const [next] = migrations;
  if (!next) return;
  await db.transaction().execute(async (transaction) => {
    await liftTimeLimits(transaction, 'local');
    await withMigrationName(next, () => lockTables(transaction));
    for (const [index, migration] of migrations.entries()) {
      await applyMigration(transaction, first + index, migration, onApplied);
    }
  });
}

/**
 * Builds an index while others write, which only works outside of a transaction. An interrupted build leaves an invalid
 * index, which is dropped first
 * (https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY).
 */
async function buildIndex(db: Connection, statement: string): Promise<void> {
  const [, create = '', name = '', rest = ''] = /^(create (?:unique )?index )(\w+)( on .+)$/s.exec(statement) ?? [];
  if (name === '') throw new TypeError(`No statement that creates an index: ${statement}`);
  const { rows } = await sql<{ isValid: boolean }>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(db);
  if (rows[0]?.isValid) return;
  if (rows[0]) await sql`drop index concurrently ${sql.ref(name)}`.execute(db);
  await sql.raw(`${create}concurrently ${name}${rest}`).execute(db);
}

/** Changes rows in batches, with pauses as long as the batches, in which the server works for others. */
async function backfillAll(db: Connection, backfill: NonNullable<SlowMigration['backfill']>): Promise<void> {
  for (;;) {
    const start = performance.now();
    const changed = await db.transaction().execute(async (transaction) => {
      await liftTimeLimits(transaction, 'local');
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
      return backfill(transaction);
    });
    if (changed === 0) return;
    await setTimeout(performance.now() - start);
  }
}

async function applySlow(db: Connection, number: number, migration: SlowMigration, onApplied: MigrationListener) {
  const start = performance.now();
  const { backfill } = migration;
  await withMigrationName(migration, async () => {
    await db.connection().execute(async (connection) => {
      await liftTimeLimits(connection, 'session');
      for (const statement of indexesOf(connection, migration)) await buildIndex(connection, statement);
    });
    if (backfill) await backfillAll(db, backfill);
    await recordApplied(db, number, migration);
  });
  onApplied(migration.name, (performance.now() - start) / 1000);
}

/** Runs the missing migrations one after the other. Quick ones in a row run together. */
async function applyMissing(db: Connection, migrations: readonly Migration[], onApplied: MigrationListener) {
  const count = () => countApplied(db);
  for (let applied = await count(); applied < migrations.length; applied = await count()) {
    const missing = migrations.slice(applied);
    const [next] = missing;
    const slowAt = missing.findIndex(({ statements }) => statements === undefined);
    if (slowAt === 0) await applySlow(db, applied + 1, next as SlowMigration, onApplied);
    else await applyQuick(db, applied + 1, missing.slice(0, slowAt < 0 ? undefined : slowAt), onApplied);
  }
}

/**
 * Runs `work` unless another process migrates the same database. The end of this process ends the lock.
 * @returns whether it ran
 */
async function withMigrationLock(db: Connection, work: () => Promise<void>): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await liftTimeLimits(transaction, 'local');
    // The lock is that of a row, because not every server that speaks PostgreSQL's protocol has advisory locks. Locked
    // rows are skipped: a waiting transaction would hold a snapshot, and building an index waits for all snapshots.
    const { rows } = await sql`
      select 1 from migrations where number = 1 for update skip locked`.execute(transaction);
    if (rows.length > 0) await work();
    return rows.length > 0;
  });
}

async function attempt(db: Connection, migrations: readonly Migration[], onApplied: MigrationListener): Promise<void> {
  for (;;) {
    const applied = await countApplied(db);
    if (applied > migrations.length) return requireServed(db);
    if (applied === migrations.length) return;
    if (applied === 0) break;
    if (await withMigrationLock(db, () => applyMissing(db, migrations, onApplied))) return;
    await setTimeout(PAUSE_MS);
  }
  await db.transaction().execute(async (transaction) => {
    await liftTimeLimits(transaction, 'local');
    await migrate(transaction, migrations, onApplied);
  });
}

/**
 * Applies the missing migrations while older processes read and write.
 * @param url leads to the server itself, because building an index needs a session
 * @throws when the database does not serve this version, or stays locked for some minutes
 */
export async function migratePostgres(
  url: string,
  { onApplied, onWaiting }: MigrationProgress,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const pool = openPool(url, { max: 2, allowsLongStatements: true });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(db, migrations, onApplied);
      } catch (error) {
        if (!isSerializationFailure(error) && !isLockTimeout(error) && !isCatalogRace(error)) throw error;
        const message = isCatalogRace(error) ? 'Another process has just created the tables' : (error as Error).message;
        if (tries === TRIES_MAX) throw new UnusableDatabase(`${message}, for minutes: see pg_stat_activity.`);
        onWaiting(message);
        await setTimeout(PAUSE_MS * Math.min(tries, PAUSE_FACTOR_MAX));
      }
    }
  } finally {
    await pool.end();
  }
}
