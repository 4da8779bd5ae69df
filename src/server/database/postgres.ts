import { Kysely, PostgresDialect, sql } from 'kysely';
import { type ChangeListener, type Database, PendingCommit, type Unit } from './database.ts';
import { isSerializationFailure } from './failures.ts';
import { openChangeChannel } from './postgres-changes.ts';
import { openPool } from './postgres-pool.ts';
import { openReplicas } from './replicas.ts';
import type { Tables } from './tables.ts';

const RETRIES_MAX = 5;

export interface PostgresAddress {
  readonly postgres: string;
  /** Where changes are heard, when a pooler stands before `postgres`. */
  readonly listen?: string | undefined;
  /** Read replicas of it. */
  readonly replicas?: readonly string[];
  /** Connections at most to each server. */
  readonly poolMax?: number;
}

/**
 * Opens the product's database on a PostgreSQL server.
 * @throws when the server cannot be reached
 */
export async function openPostgres(address: PostgresAddress, listener: ChangeListener): Promise<Database> {
  const { poolMax } = address;
  const pool = openPool(address.postgres, { max: poolMax });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const replicas = openReplicas(pool, address.replicas ?? [], poolMax);
  const changes = await openChangeChannel(address.listen ?? address.postgres, kysely, {
    ...listener,
    onTags(tags) {
      replicas.noteChange();
      listener.onTags(tags);
    },
    onUnknownChange() {
      replicas.noteChange();
      listener.onUnknownChange();
    },
    onInformed(isInformed) {
      replicas.setInformed(isInformed);
      listener.onInformed(isInformed);
    },
  }).catch(async (error: unknown) => {
    await replicas.close();
    await pool.end();
    throw error;
  });

  async function attempt<T>(unit: Unit<T>): Promise<T> {
    const commit = new PendingCommit();
    const value = await kysely.transaction().execute(async (transaction) => {
      const result = await unit(transaction, commit);
      if (commit.tags.size > 0) await changes.announce(transaction, commit.tags);
      return result;
    });
    replicas.noteChange();
    commit.settle(listener.onTags);
    return value;
  }

  return {
    engine: 'postgres',
    read: kysely,
    readShared: () => replicas.shared,
    async write(unit) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(unit);
        } catch (error) {
          if (!isSerializationFailure(error) || tries >= RETRIES_MAX) throw error;
        }
      }
    },
    async close() {
      await Promise.all([changes.close(), replicas.close()]);
      await pool.end();
    },
  };
}

/** What migrations need of a server: no statement of theirs is cut, however large a table has grown. */
export function openForMigration({ postgres }: PostgresAddress): Pick<Database, 'engine' | 'write' | 'close'> {
  const pool = openPool(postgres, { max: 1, isPatient: true });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    engine: 'postgres',
    write: (unit) => kysely.transaction().execute((transaction) => unit(transaction, new PendingCommit())),
    close: () => pool.end(),
  };
}

/** Waits until no other process migrates the same database; let go at the end of the transaction. */
export async function lockForMigration(db: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('school-reviews migrations'))`.execute(db);
}
