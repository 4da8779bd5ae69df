import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Connection, DatabaseStatistics } from './database.ts';
import { isCanceled, isUnavailable } from './failures.ts';
import { openPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

const MEASURE_EVERY_MS = 100;
/** A replica that was not confirmed for this long is not read. */
const CONFIRMATION_LIFE_MS = 1_000;

interface Replica {
  readonly pool: pg.Pool;
  readonly host: string;
  /** The time (`performance.now()`) up to which the replica is known to have every commit. */
  confirmedAt: number;
  /** The same, also while it does not answer; at first, when it was opened. */
  hadAllAt: number;
  isBeingChecked: boolean;
}

export interface Replicas {
  /**
   * Reads from a replica that has every change this process knows of; from the primary when there is none, or when the
   * replica fails.
   */
  readonly shared: Connection;
  /** Records a change: each replica is read again only when it is confirmed to have it. */
  noteChange(): void;
  /** Whether changes by other processes arrive over LISTEN. Without them no replica can be known to be current. */
  setSubscribed(isSubscribed: boolean): void;
  statistics(): DatabaseStatistics['replicas'];
  close(): Promise<void>;
}

const lose = (replica: Replica) => {
  replica.confirmedAt = Number.NEGATIVE_INFINITY;
};

/** A connection to a replica. A statement that fails there runs on the primary, which is safe because all are reads. */
function withPrimaryBehind(client: pg.PoolClient, replica: Replica, primary: pg.Pool): PostgresPoolClient {
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // A statement that timed out on the replica would time out on the primary too.
      if (isCanceled(error)) throw error;
      if (isUnavailable(error)) lose(replica);
      return primary.query(sql, parameters);
    }
  };
  // Kysely's type has an overload for cursors, which are not used here.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
}

/** Checks how far each replica has replayed, and reads only from those that have every known change. */
export function openReplicas(primary: pg.Pool, urls: readonly string[], poolMax: number | undefined): Replicas {
  const replicas: Replica[] = urls.map((url) => ({
    pool: openPool(url, { max: poolMax }),
    host: new URL(url).host,
    confirmedAt: Number.NEGATIVE_INFINITY,
    hadAllAt: performance.now(),
    isBeingChecked: false,
  }));
  let changedAt = performance.now();
  let picks = 0;
  let isMeasuring = false;
  let isSubscribed = false;

  async function confirm(replica: Replica, position: string, measuredAt: number): Promise<void> {
    if (replica.isBeingChecked) return;
    replica.isBeingChecked = true;
    try {
      const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
      const { rows } = await replica.pool.query<{ has: boolean | null }>(sql, [position]);
      if (rows[0]?.has) replica.confirmedAt = replica.hadAllAt = measuredAt;
    } catch {
      // Unreachable or starting: reads go to the primary until a later check succeeds.
      lose(replica);
    } finally {
      replica.isBeingChecked = false;
    }
  }

  async function measure(): Promise<void> {
    if (isMeasuring) return;
    isMeasuring = true;
    const measuredAt = performance.now();
    try {
      // The insert position, not the flush position: with synchronous_commit off a commit is answered before the flush.
      const sql = 'select pg_current_wal_insert_lsn()::text as position';
      const { rows } = await primary.query<{ position: string }>(sql);
      for (const replica of replicas) void confirm(replica, rows[0]?.position ?? '0/0', measuredAt);
    } catch {
      replicas.forEach(lose);
    } finally {
      isMeasuring = false;
    }
  }

  const timer = replicas.length > 0 ? setInterval(measure, MEASURE_EVERY_MS).unref() : undefined;

  const reads = { primary: 0, replica: 0 };

  function findCurrent(): Replica[] {
    if (!isSubscribed) return [];
    const since = Math.max(changedAt, performance.now() - CONFIRMATION_LIFE_MS);
    return replicas.filter(({ confirmedAt }) => confirmedAt > since);
  }

  function pick(): Replica | undefined {
    const current = findCurrent();
    picks += 1;
    reads[current.length > 0 ? 'replica' : 'primary'] += 1;
    return current[picks % Math.max(current.length, 1)];
  }

  const sharedPool: PostgresPool = {
    options: primary.options,
    async connect() {
      const replica = pick();
      if (!replica) return primary.connect();
      try {
        return withPrimaryBehind(await replica.pool.connect(), replica, primary);
      } catch {
        lose(replica);
        return primary.connect();
      }
    },
    // The pools of primary and replicas are closed by their owners.
    end: async () => {},
  };

  return {
    shared: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharedPool }) }),
    noteChange() {
      changedAt = performance.now();
    },
    setSubscribed(isNow) {
      isSubscribed = isNow;
      // Changes may have been missed that the replicas do not have yet.
      changedAt = performance.now();
    },
    statistics() {
      if (replicas.length === 0) return undefined;
      const now = performance.now();
      const lags = Object.fromEntries(replicas.map(({ host, hadAllAt }) => [host, (now - hadAllAt) / 1000]));
      return { all: replicas.length, current: findCurrent().length, reads, lags };
    },
    async close() {
      clearInterval(timer);
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}
