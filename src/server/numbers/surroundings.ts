import type { FastifyBaseLogger } from 'fastify';
import { measureClock } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/failures.ts';
import type { MigrationProgress } from '../database/postgres-migration.ts';
import type { Milliseconds } from '../database/tables.ts';
import { takeCommands } from './runs.ts';

const LOOK_EVERY_MS = 2_000;

/** A replica that has lacked changes for longer is lost: reads go to the primary meanwhile. */
const LOST_AFTER_S = 3;

/** Sessions and limits of several machines go wrong beyond this. */
const CLOCK_OFF_MS = 2_000;

/** A database that takes longer to answer does not say what its clock was. */
const ANSWER_WITHIN_MS = 1_000;

interface Watched {
  readonly database: Database;
  readonly dataDir: string;
  readonly log: FastifyBaseLogger;
  readonly now: () => Milliseconds;
}

/**
 * Logs what happens around a process: replicas that are lost and found, a clock that is off, and the commands that are
 * run on its data.
 * @returns a function that stops it
 */
export function watchSurroundings({ database, dataDir, log, now }: Watched): () => void {
  const troubles = new Set<string>();

  /** Logs once when a trouble begins and once when it ends. */
  function note(trouble: string, isThere: boolean, begin: () => void, end: () => void): void {
    if (isThere === troubles.has(trouble)) return;
    if (isThere) troubles.add(trouble);
    else troubles.delete(trouble);
    (isThere ? begin : end)();
  }

  async function lookAtClock(): Promise<void> {
    const since = performance.now();
    const ahead = await measureClock(database, now);
    if (performance.now() - since > ANSWER_WITHIN_MS) return;
    const seconds = Math.round(ahead / 100) / 10;
    note(
      'clock',
      Math.abs(ahead) > CLOCK_OFF_MS,
      () => log.warn({ event: 'clock-off', seconds }, "the clock is more than 2 s off the database's"),
      () => log.info({ event: 'clock-right', seconds }, "the clock is the database's again"),
    );
  }

  async function look(): Promise<void> {
    for (const run of takeCommands(dataDir)) log.info({ event: 'command', ...run }, 'a command was run');
    for (const [replica, lag] of Object.entries(database.statistics().replicas?.lags ?? {})) {
      note(
        replica,
        lag > LOST_AFTER_S,
        () => log.warn({ event: 'replica-lost', replica }, 'a replica does not answer or lags: it is not read'),
        () => log.info({ event: 'replica-found', replica }, 'a replica has every change again: it is read'),
      );
    }
    if (database.engine === 'postgres') await lookAtClock();
  }

  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function lookAgain(): Promise<void> {
    await look().catch((error: unknown) => {
      // That the database does not answer is reported by whoever needs it.
      if (!isStopped && !isUnavailable(error)) log.warn({ event: 'watch-failed', err: error }, 'will try again');
    });
    if (!isStopped) timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref();
  }

  void lookAgain();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Logs what the process is doing while it does not serve yet. */
export function logMigrations(log: FastifyBaseLogger): MigrationProgress {
  return {
    onApplied(migration, seconds) {
      log.info({ event: 'migrated', migration, seconds: Number(seconds.toFixed(3)) }, 'a migration is done');
    },
    onWaiting(reason) {
      log.warn({ event: 'migration-waits', reason }, 'somebody holds a lock: the migration is tried again');
    },
  };
}
