import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import { SettingError } from './settings/environment.ts';
import type { Settings } from './settings/settings.ts';

const PROCESSES_MAX = 64;
/** A pause before each restart, so that a worker that ends at once is not restarted without end. */
const RESTART_AFTER_MS = 500;

/**
 * Reads the number of processes from the command line: `--processes N`. Default: 1.
 * @throws {SettingError} for an impossible number, or for more than one on the embedded database
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

/** Whether this process only supervises the serving ones. */
export function isSupervisor(processes: number): boolean {
  return processes > 1 && cluster.isPrimary;
}

/**
 * Whether this process does what only one of them should do: report that the product is ready, load the sample data.
 */
export function isFirst(): boolean {
  return cluster.isPrimary || cluster.worker?.id === 1;
}

/**
 * Whether a supervisor tells this process when to stop. A terminal, `npm run serve` and most init systems send a signal
 * to the whole group, and the supervisor then sends it to its processes again: a worker must not take that for a second
 * signal.
 */
export function isSupervised(): boolean {
  return cluster.isWorker;
}

/** What a worker sends its supervisor when it serves. */
const SERVING = 'serving';

/** Tells the supervisor, if there is one, that this process has started. */
export function tellServing(): void {
  cluster.worker?.send(SERVING);
}

/** Starts the serving processes on one port, restarts those that end unexpectedly, and drains all when told to stop. */
export function supervise(processes: number): void {
  // Each process accepts its own connections: if this one passed them on, those given to a dying worker would hang for
  // ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let hasServed = false;
  let isEnding = false;
  let exitCode = 0;

  const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

  function end(): void {
    isEnding = true;
    for (const worker of workers()) worker.process.kill('SIGTERM');
    if (workers().length === 0) process.exit(exitCode);
  }

  function replace(): void {
    // A signal may have arrived since the worker ended: a new worker would not receive it.
    if (!isEnding) cluster.fork();
  }

  cluster.on('message', (_worker, message) => {
    if (message === SERVING) hasServed = true;
  });
  cluster.on('exit', (_worker, code) => {
    if (!isEnding && !hasServed) {
      // When the first start fails, all are ended, and the reason has been logged. A later start is retried: a worker
      // that ends while the database is down must not end the others.
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
