import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Connection } from './database.ts';
import { openPool } from './postgres-pool.ts';
import type { Tables } from './tables.ts';

const MEASURE_EVERY_MS = 100;

interface Replica {
  readonly kysely: Kysely<Tables>;
  /** It has everything that was committed up to this moment of this process's clock. */
  confirmedAt: number;
}

export interface Replicas {
  /** A replica that has every change this process has heard of; undefined while none has. */
  pick(): Connection | undefined;
  /** Something has changed: replicas count only once they are known to have it too. */
  noteChange(): void;
  close(): Promise<void>;
}

/** Watches how far the replicas are, and offers only those that lag behind nothing that anybody here knows of. */
export function openReplicas(primary: Connection, urls: readonly string[]): Replicas {
  const replicas: Replica[] = urls.map((url) => ({
    kysely: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(url) }) }),
    confirmedAt: Number.NEGATIVE_INFINITY,
  }));
  let changedAt = performance.now();
  let turn = 0;
  let isMeasuring = false;

  async function confirm(replica: Replica, position: string, measuredAt: number): Promise<void> {
    try {
      const { rows } = await sql<{ has: boolean | null }>`
        select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as has`.execute(replica.kysely);
      if (rows[0]?.has) replica.confirmedAt = measuredAt;
    } catch {
      // Gone or starting: its last confirmation ends with the next change, and reads go to the primary.
      replica.confirmedAt = Number.NEGATIVE_INFINITY;
    }
  }

  async function measure(): Promise<void> {
    if (isMeasuring) return;
    isMeasuring = true;
    const measuredAt = performance.now();
    try {
      const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(primary);
      await Promise.all(replicas.map((replica) => confirm(replica, rows[0]?.position ?? '0/0', measuredAt)));
    } catch {
      for (const replica of replicas) replica.confirmedAt = Number.NEGATIVE_INFINITY;
    } finally {
      isMeasuring = false;
    }
  }

  const timer = replicas.length > 0 ? setInterval(measure, MEASURE_EVERY_MS).unref() : undefined;

  return {
    pick() {
      const current = replicas.filter(({ confirmedAt }) => confirmedAt > changedAt);
      turn += 1;
      return current[turn % Math.max(current.length, 1)]?.kysely;
    },
    noteChange() {
      changedAt = performance.now();
    },
    async close() {
      clearInterval(timer);
      await Promise.all(replicas.map(({ kysely }) => kysely.destroy()));
    },
  };
}
