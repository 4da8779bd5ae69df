import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { Connection } from './database.ts';
import { isCanceled, isUnavailable } from './failures.ts';
import { openPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

const MEASURE_EVERY_MS = 100;
/** A replica that has not been heard of for so long is left alone, whatever it had. */
const CONFIRMATION_LIFE_MS = 1_000;

interface Replica {
  readonly pool: pg.Pool;
  /** It has everything that was committed up to this moment of this process's clock. */
  confirmedAt: number;
  isAsked: boolean;
}

export interface Replicas {
  /**
   * Reads from a replica that has every change this process has heard of. What no replica has, or the one that was
   * asked cannot do, the primary does.
   */
  readonly shared: Connection;
  /** Something has changed: replicas count only once they are known to have it too. */
  noteChange(): void;
  /** Whether the changes of other processes arrive. While they do not, no replica is known to have them. */
  setSubscribed(isSubscribed: boolean): void;
  close(): Promise<void>;
}

const lose = (replica: Replica) => {
  replica.confirmedAt = Number.NEGATIVE_INFINITY;
};

/** A replica's connection whose failing statements, all of them reads, are run on the primary. */
function withPrimaryBehind(client: pg.PoolClient, replica: Replica, primary: pg.Pool): PostgresPoolClient {
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // What took too long there would take too long here.
      if (isCanceled(error)) throw error;
      if (isUnavailable(error)) lose(replica);
      return primary.query(sql, parameters);
    }
  };
  // Kysely's type has a second form, for cursors, which nobody here opens.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
}

/** Watches how far the replicas are, and reads only from those that lag behind nothing that anybody here knows of. */
export function openReplicas(primary: pg.Pool, urls: readonly string[], poolMax: number | undefined): Replicas {
  const replicas: Replica[] = urls.map((url) => ({
    pool: openPool(url, { max: poolMax }),
    confirmedAt: Number.NEGATIVE_INFINITY,
    isAsked: false,
  }));
  let changedAt = performance.now();
  let turn = 0;
  let isMeasuring = false;
  let isSubscribed = false;

  async function confirm(replica: Replica, position: string, measuredAt: number): Promise<void> {
    if (replica.isAsked) return;
    replica.isAsked = true;
    try {
      const sql = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as has';
      const { rows } = await replica.pool.query<{ has: boolean | null }>(sql, [position]);
      if (rows[0]?.has) replica.confirmedAt = measuredAt;
    } catch {
      // Gone or starting: reads go to the primary, and it is asked again.
      lose(replica);
    } finally {
      replica.isAsked = false;
    }
  }

  async function measure(): Promise<void> {
    if (isMeasuring) return;
    isMeasuring = true;
    const measuredAt = performance.now();
    try {
      // Where the next record goes: with synchronous_commit off a commit is answered before it is written.
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

  function pick(): Replica | undefined {
    if (!isSubscribed) return undefined;
    const since = Math.max(changedAt, performance.now() - CONFIRMATION_LIFE_MS);
    const current = replicas.filter(({ confirmedAt }) => confirmedAt > since);
    turn += 1;
    return current[turn % Math.max(current.length, 1)];
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
    // The pools behind it are closed by those who opened them.
    end: async () => {},
  };

  return {
    shared: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharedPool }) }),
    noteChange() {
      changedAt = performance.now();
    },
    setSubscribed(isNow) {
      isSubscribed = isNow;
      // What was missed is unknown, and it may be missing there too.
      changedAt = performance.now();
    },
    async close() {
      clearInterval(timer);
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}
