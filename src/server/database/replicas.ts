import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import type { DatabaseStatistics } from './database.ts';
import { isCanceled, isUnavailable } from './failures.ts';
import { openPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

const CHECK_EVERY_MS = 100;
/** How often a heartbeat is written when nothing changes. */
const BEAT_EVERY_MS = 500;
/** A replica that was not confirmed for this long is not read. */
const CONFIRMED_FOR_MS = 1_000;
/** How many heartbeats are remembered: enough to measure a replica that is ten seconds behind. */
const BEATS_MAX = 100;

/** The commit of a heartbeat waits for no disk and no standby: only its order among other commits counts. */
const WRITE_BEAT = `
  with at_once as (select set_config('synchronous_commit', 'off', true))
  update replica_beats set beat = beat + 1 from at_once returning beat`;
/** Returns nothing before the migration that makes the table: the server would log each beat as an error. */
const FIND_BEATS = `select 1 where to_regclass('replica_beats') is not null`;
/** Returns nothing on a replica that was promoted, where others may write heartbeats of their own. */
const READ_BEAT = 'select beat from replica_beats where pg_is_in_recovery()';

interface Beat {
  readonly beat: number;
  /** When its write began (`performance.now()`). */
  readonly at: number;
}

interface Replica {
  readonly pool: pg.Pool;
  readonly host: string;
  /** The time (`performance.now()`) up to which the replica is known to have every commit. */
  confirmedAt: number;
  /**
   * The last time up to which the replica had every commit, even if it does not answer now: its lag is measured from
   * here. At first, the time when the replica was opened.
   */
  caughtUpAt: number;
  isBeingChecked: boolean;
}

export type Replicas = ReturnType<typeof openReplicas>;

const markUnconfirmed = (replica: Replica) => {
  replica.confirmedAt = Number.NEGATIVE_INFINITY;
};

/** A connection to a replica. A statement that fails there runs on the primary, which is safe because all are reads. */
function withPrimaryAsFallback(client: pg.PoolClient, replica: Replica, primary: pg.Pool): PostgresPoolClient {
  const query = async (sql: string, parameters: unknown[]) => {
    try {
      return await client.query(sql, parameters);
    } catch (error) {
      // A statement that timed out on the replica would time out on the primary too.
      if (isCanceled(error)) throw error;
      if (isUnavailable(error)) markUnconfirmed(replica);
      return primary.query(sql, parameters);
    }
  };
  // Kysely's type has an overload for cursors, which are not used here.
  return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) };
}

/**
 * Reads only from the replicas that have every known change. A heartbeat row is written on the primary after changes, and
 * a replica that has it has everything that was committed before. Positions of the WAL are not used instead: not every
 * managed server has the functions for them, and across a failover they cannot be compared.
 */
export function openReplicas(primary: pg.Pool, urls: readonly string[], poolMax: number | undefined) {
  const replicas: Replica[] = urls.map((url) => ({
    pool: openPool(url, { max: poolMax }),
    host: new URL(url).host,
    confirmedAt: Number.NEGATIVE_INFINITY,
    caughtUpAt: performance.now(),
    isBeingChecked: false,
  }));
  let changedAt = performance.now();
  let picks = 0;
  let isChecking = false;
  let isMigrated = false;
  let beats: Beat[] = [];
  let isSubscribed = false;

  async function confirm(replica: Replica): Promise<void> {
    if (replica.isBeingChecked) return;
    replica.isBeingChecked = true;
    try {
      const { rows } = await replica.pool.query<Pick<Beat, 'beat'>>(READ_BEAT);
      const [row] = rows;
      if (!row) return markUnconfirmed(replica);
      const reached = beats.findLast(({ beat }) => beat <= row.beat);
      if (reached) replica.confirmedAt = replica.caughtUpAt = reached.at;
    } catch {
      // Unreachable or starting: reads go to the primary until a later check succeeds.
      markUnconfirmed(replica);
    } finally {
      replica.isBeingChecked = false;
    }
  }

  /** Writes a heartbeat after a change, and every half second without one. */
  async function beatIfDue(): Promise<void> {
    const at = performance.now();
    const last = beats.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
    if (last > changedAt && at - last < BEAT_EVERY_MS) return;
    const { rows } = await primary.query<Pick<Beat, 'beat'>>(WRITE_BEAT);
    for (const { beat } of rows) beats = [...beats, { beat, at }].slice(-BEATS_MAX);
  }

  async function check(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    try {
      isMigrated ||= (await primary.query(FIND_BEATS)).rows.length > 0;
      if (!isMigrated) return;
      await beatIfDue();
      for (const replica of replicas) void confirm(replica);
    } catch {
      replicas.forEach(markUnconfirmed);
    } finally {
      isChecking = false;
    }
  }

  const timer = replicas.length > 0 ? setInterval(check, CHECK_EVERY_MS).unref() : undefined;

  const reads = { primary: 0, replica: 0 };

  function findCurrent(): Replica[] {
    if (!isSubscribed) return [];
    const since = Math.max(changedAt, performance.now() - CONFIRMED_FOR_MS);
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
        return withPrimaryAsFallback(await replica.pool.connect(), replica, primary);
      } catch {
        markUnconfirmed(replica);
        return primary.connect();
      }
    },
    // The pools of primary and replicas are closed by their owners.
    end: async () => {},
  };

  return {
    /**
     * Reads from a replica that has every change this process knows of, or from the primary if none has or the replica
     * fails.
     */
    shared: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: sharedPool }) }),
    /** Records a change: each replica is read again only when it is confirmed to have it. */
    recordChange(): void {
      changedAt = performance.now();
    },
    /** Whether changes by other processes arrive over LISTEN. Without them no replica can be known to be current. */
    setSubscribed(isNow: boolean): void {
      isSubscribed = isNow;
      // Some changes may have been missed, and the replicas may not have them yet.
      changedAt = performance.now();
    },
    statistics(): DatabaseStatistics['replicas'] {
      if (replicas.length === 0) return undefined;
      const now = performance.now();
      const lags = Object.fromEntries(replicas.map(({ host, caughtUpAt }) => [host, (now - caughtUpAt) / 1000]));
      return { all: replicas.length, current: findCurrent().length, reads, lags };
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.all(replicas.map(({ pool }) => pool.end()));
    },
  };
}
