import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type ChangeListener, type Database, PendingCommit, type Unit } from './database.ts';
import { isSerializationFailure } from './failures.ts';
import type { Tables } from './tables.ts';

const POOL_MAX = 10;
const CONNECT_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const RETRIES_MAX = 5;

/** bigint and numeric sums arrive as text by default; every number here is exact in a double. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format);
  },
};

/** Opens the product's database on a PostgreSQL server. */
export function openPostgres(url: string, listener: ChangeListener): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: POOL_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: types as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

  async function attempt<T>(unit: Unit<T>): Promise<T> {
    const commit = new PendingCommit();
    const value = await kysely.transaction().execute((transaction) => unit(transaction, commit));
    commit.settle(listener.onTags);
    return value;
  }

  return {
    engine: 'postgres',
    read: kysely,
    async write(unit) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(unit);
        } catch (error) {
          if (!isSerializationFailure(error) || tries >= RETRIES_MAX) throw error;
        }
      }
    },
    close: () => kysely.destroy(),
  };
}

/** Waits until no other process migrates the same database; let go at the end of the transaction. */
export async function lockForMigration(db: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('school-reviews migrations'))`.execute(db);
}
