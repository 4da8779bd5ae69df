import { Kysely, PostgresDialect, sql } from 'kysely';
import { logChange } from './change-log.ts';
import {
  type ChangeListener,
  type Connection,
  type Database,
  PendingCommit,
  type Position,
  type StatementBody,
  type TransactionBody,
} from './database.ts';
import { isRolledBack, isSerializationFailure, isUnavailable, UnusableDatabase } from './failures.ts';
import { openChangeChannel } from './postgres-changes.ts';
import { openPool } from './postgres-pool.ts';
import { createTransactions } from './postgres-transactions.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import type { Tables } from './tables.ts';
import { createWakeUps, SEND_WAKE_UP } from './wake-ups.ts';
import { createWriteProbe } from './write-probe.ts';

const RETRIES_MAX = 5;

export interface PostgresAddress {
  readonly postgres: string;
  /** The address for LISTEN, if `postgres` is the address of a pooler. */
  readonly listen?: string | undefined;
  /** Addresses of read replicas. */
  readonly replicas?: readonly string[];
  /** The maximum number of connections to each server. */
  readonly poolMax?: number;
}

/** Settings that can lose answered writes, or the whole database, when they are off. */
const DURABILITY: Record<string, string> = {
  fsync: 'a power cut can destroy the whole database',
  full_page_writes: 'a power cut can damage pages of the database',
  synchronous_commit: 'a crash can lose writes that were answered',
};

/** Runs on a connection of the pool that writes, because a role or a database can have settings of its own. */
async function findDurabilityWarnings(db: Connection): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings where name in (${sql.join(Object.keys(DURABILITY))}) and setting = 'off' order by name
  `.execute(db);
  return rows.map(({ name }) => `PostgreSQL runs with ${name}=off: ${DURABILITY[name]}.`);
}

/**
 * The product needs no privileges beyond owning its database. Others only help an attacker who has the role's password.
 */
async function findPrivilegeWarnings(db: Connection): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select rolname as name from pg_roles where rolname = current_user and rolsuper`.execute(db);
  return rows.map(
    ({ name }) => `The PostgreSQL role ${name} is a superuser: give the product one that only owns its database.`,
  );
}

/**
 * SQL_ASCII stores the bytes as they are sent.
 * @throws {UnusableDatabase} when the database is in an encoding that lacks letters: texts with these could be neither
 * written nor searched for
 */
async function requireUnicode(db: Connection): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select current_setting('server_encoding') as name where current_setting('server_encoding') not in ('UTF8', 'SQL_ASCII')
  `.execute(db);
  for (const { name } of rows)
    throw new UnusableDatabase(`The database is encoded in ${name}, which lacks letters: make one with encoding UTF8.`);
}

/** Wraps a listener so that the replicas learn of a change first: the listener's next reads must include it. */
function wrapListener(listener: ChangeListener, replicas: Replicas): ChangeListener {
  return {
    onTags(tags) {
      replicas.recordChange();
      listener.onTags(tags);
    },
    onUnknownChange() {
      replicas.recordChange();
      listener.onUnknownChange();
    },
    onSubscribed() {
      replicas.setSubscribed(true);
      listener.onSubscribed();
    },
    onUnsubscribed(reason) {
      replicas.setSubscribed(false);
      listener.onUnsubscribed(reason);
    },
    onFollowed: () => listener.onFollowed?.(),
  };
}

/**
 * Opens the product's database on a PostgreSQL server.
 * @param listener of a process that caches. Without it, this process does not subscribe to the changes of others, and
 * needs no direct connection
 * @throws when the server cannot be reached, brings no notifications to a listener, or lacks letters
 */
export async function openPostgres(address: PostgresAddress, listener: ChangeListener | undefined): Promise<Database> {
  const { poolMax } = address;
  // LISTEN works over the address itself, as is proved below: so no pooler in transaction mode is in between.
  const isDirect = listener !== undefined && address.listen === undefined;
  const pool = openPool(address.postgres, { max: poolMax, sendsTogether: isDirect });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const transact = createTransactions(pool, kysely, isDirect);
  const replicas = openReplicas(pool, address.replicas ?? [], poolMax);
  async function giveUp(error: unknown): Promise<never> {
    await replicas.close();
    await pool.end();
    throw error;
  }
  // In parallel: this opens both connections that the pool keeps open when idle.
  const [durability, privileges] = await Promise.all([
    findDurabilityWarnings(kysely),
    findPrivilegeWarnings(kysely),
    requireUnicode(kysely),
  ]).catch(giveUp);
  const warnings = { durability, privileges };
  const changeListener = listener && wrapListener(listener, replicas);
  const channel =
    changeListener && (await openChangeChannel(address.listen ?? address.postgres, pool, changeListener).catch(giveUp));
  const wakeUps = createWakeUps(channel ? channel.wakeOthers : () => pool.query(SEND_WAKE_UP));

  async function attempt<T>(body: TransactionBody<T>): Promise<T> {
    const commit = new PendingCommit();
    let position: Position | undefined;
    try {
      const value = await transact(async (transaction) => {
        const result = await body(transaction, commit);
        if (commit.tags.size > 0) position = await logChange(transaction, commit.tags);
        return result;
      });
      replicas.recordChange();
      commit.publish((tags) => listener?.onTags(tags, position));
      return value;
    } finally {
      // All processes are woken even after a failure: if only the answer to the COMMIT was lost, this process too has
      // to read its change from the log.
      if (position !== undefined) wakeUps.wake();
    }
  }

  async function write<T>(body: TransactionBody<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt(body);
      } catch (error) {
        if (isSerializationFailure(error) && tries < RETRIES_MAX) continue;
        probe.recordFailure(error);
        throw error;
      }
    }
  }
  const probe = createWriteProbe(write);

  async function writeInOneStatement<T>(body: StatementBody<T>): Promise<T | undefined> {
    const commit = new PendingCommit();
    try {
      const done = await body(kysely, commit);
      if (!done) return undefined;
      replicas.recordChange();
      commit.publish((tags) => listener?.onTags(tags, done.position));
      wakeUps.wake();
      return done.value;
    } catch (error) {
      if (isRolledBack(error)) return undefined;
      // The statement may be committed and its answer lost: this process too then reads the change from the log.
      if (isUnavailable(error)) wakeUps.wake();
      probe.recordFailure(error);
      throw error;
    }
  }

  return {
    engine: 'postgres',
    warnings,
    read: kysely,
    readShared: () => replicas.shared,
    write,
    ...(isDirect && { writeInOneStatement }),
    checkWritable: probe.check,
    statistics: () => ({
      connections: { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      replicas: replicas.statistics(),
    }),
    hasFollowed: (positions) => channel?.hasFollowed(positions) ?? true,
    follow: async () => channel?.follow(),
    async close() {
      await wakeUps.close();
      await Promise.all([channel?.close(), replicas.close()]);
      await pool.end();
    },
  };
}
