import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../database/database.ts';
import { isUnavailable } from '../database/failures.ts';
import type { MigrationProgress } from '../database/postgres-migration.ts';
import type { Milliseconds } from '../database/tables.ts';
import { measureClock } from './queries.ts';
import { takeCommands } from './run-files.ts';

const CHECK_EVERY_MS = 2_000;

/** A replica that lacks changes for longer than this counts as lost. */
const LOST_AFTER_S = 3;

/** If clocks differ by more, several machines no longer agree about sessions and limits. */
const CLOCK_OFF_MS = 2_000;

/** If the round trip takes longer, the comparison of the clocks is not exact enough. */
const ANSWER_WITHIN_MS = 1_000;

interface MonitoringOptions {
  readonly database: Database;
  readonly dataDir: string;
  readonly log: FastifyBaseLogger;
  readonly now: () => Milliseconds;
}

/**
 * Logs replicas that are lost and found, a clock that is off, and the commands that are run on the data.
 * @returns a function that stops the monitoring
 */
export function startMonitoring({ database, dataDir, log, now }: MonitoringOptions): () => void {
  const problems = new Set<string>();

  /** Logs once when a problem begins, and once when it is over. */
  function logTransition(problem: string, exists: boolean, begin: () => void, end: () => void): void {
    if (exists === problems.has(problem)) return;
    if (exists) problems.add(problem);
    else problems.delete(problem);
    (exists ? begin : end)();
  }

  async function checkClock(): Promise<void> {
    const startedAt = performance.now();
    const ahead = await measureClock(database, now);
    if (performance.now() - startedAt > ANSWER_WITHIN_MS) return;
    const seconds = Math.round(ahead / 100) / 10;
    logTransition(
      'clock',
      Math.abs(ahead) > CLOCK_OFF_MS,
      () => log.warn({ event: 'clock-off', seconds }, "the clock is more than 2 s off the database's"),
      () => log.info({ event: 'clock-right', seconds }, "the clock is the database's again"),
    );
  }

  async function check(): Promise<void> {
    for (const run of takeCommands(dataDir)) log.info({ event: 'command', ...run }, 'a command was run');
    for (const [replica, lag] of Object.entries(database.statistics().replicas?.lags ?? {})) {
      logTransition(
        replica,
        lag > LOST_AFTER_S,
        () => log.warn({ event: 'replica-lost', replica }, 'a replica does not answer or lags: it is not read'),
        () => log.info({ event: 'replica-found', replica }, 'a replica has every change again: it is read'),
      );
    }
    if (database.engine === 'postgres') await checkClock();
  }

  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function checkAgain(): Promise<void> {
    await check().catch((error: unknown) => {
      // An unavailable database is logged by the requests that need it.
      if (!isStopped && !isUnavailable(error)) log.warn({ event: 'watch-failed', err: error }, 'will try again');
    });
    if (!isStopped) timer = setTimeout(checkAgain, CHECK_EVERY_MS).unref();
  }

  void checkAgain();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Makes the functions that log how migrations proceed, while the process does not serve yet. */
export function logMigrations(log: FastifyBaseLogger): MigrationProgress {
  return {
    onApplied(migration, seconds) {
      log.info({ event: 'migrated', migration, seconds: Number(seconds.toFixed(3)) }, 'a migration is done');
    },
    onWaiting(reason) {
      log.warn({ event: 'migration-waits', reason }, 'the migration is tried again');
    },
  };
}
