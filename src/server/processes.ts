import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { SettingError, type Settings } from './settings.ts';

const PROCESSES_MAX = 64;
/** A pause, so that a worker that dies at once is not restarted without end. */
const RESTART_AFTER_MS = 500;

/**
 * How many processes serve, from the command line: `--processes N`, 1 without it.
 * @throws {SettingError} when it is not a number that makes sense, or more than one on the embedded database
 */
export function readProcesses(args: readonly string[], settings: Settings): number {
  const { values } = parseArgs({ args: [...args], options: { processes: { type: 'string', default: '1' } } });
  const count = Number(values.processes);
  if (!/^\d+$/.test(values.processes) || count < 1 || count > PROCESSES_MAX) {
    throw new SettingError('--processes', `is "${values.processes}"`, `a whole number from 1 to ${PROCESSES_MAX}`);
  }
  if (count > 1 && 'sqlite' in settings.database) {
    throw new SettingError('--processes', 'is more than 1 on the embedded database', '1, or a PostgreSQL DATABASE_URL');
  }
  return count;
}

/** Whether this process only watches over those that serve. */
export function isSupervisor(processes: number): boolean {
  return processes > 1 && cluster.isPrimary;
}

/** Whether this process does what only one of them should: say that it is ready, load the sample data. */
export function isFirst(): boolean {
  return cluster.isPrimary || cluster.worker?.id === 1;
}

/**
 * Whether a supervisor tells this process when to end. A terminal, `npm run serve` and most init systems signal the
 * whole group, and the supervisor then signals its processes again: a worker must not take that for a second signal.
 */
export function isSupervised(): boolean {
  return cluster.isWorker;
}

/** Starts the serving processes on one port, starts again what dies, and drains all when told to end. */
export function supervise(processes: number): void {
  // Each process accepts its own connections: one that this process handed to a dying worker would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let hasListened = false;
  let isEnding = false;
  let exitCode = 0;

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  function end(): void {
    isEnding = true;
    for (const worker of workers()) worker.process.kill('SIGTERM');
    if (workers().length === 0) process.exit(exitCode);
  }

  function replace(): void {
    // A signal has arrived since the worker died: a new one would not be told to end.
    if (!isEnding) cluster.fork();
  }

  cluster.on('listening', () => {
    hasListened = true;
  });
  cluster.on('exit', (_worker, code) => {
    if (!isEnding && !hasListened) {
      // When the first start fails, all fail: the reason has been logged. A later start is retried, or a worker that
      // dies while the database is down would end the others too.
      exitCode = code || 1;
      end();
    }
    if (isEnding && workers().length === 0) process.exit(exitCode);
    if (!isEnding) setTimeout(replace, RESTART_AFTER_MS);
  });

  function endOnce(): void {
    // A second signal ends at once.
    if (isEnding) process.exit(1);
    end();
  }
  process.on('SIGTERM', endOnce);
  process.on('SIGINT', endOnce);
  process.on('disconnect', () => {
    if (!isEnding) end();
  });

  for (let index = 0; index < processes; index += 1) cluster.fork();
}
