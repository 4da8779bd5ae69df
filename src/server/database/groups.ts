import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Connection } from './database.ts';

/** How long the next group waits for the one before: on a slow disk, or when a group is stuck, it waits no longer. */
const PATIENCE_MS = 20;

interface GroupOptions<Job> {
  /** Jobs that have a key in common never run at the same time. */
  readonly keysOf?: (job: Job) => readonly string[];
  /** The maximum number of jobs in a group. */
  readonly max: number;
}

interface Waiting<Job, Result> {
  readonly job: Job;
  readonly keys: readonly string[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

function createGroups<Job, Result>(
  run: (jobs: readonly Job[]) => Promise<readonly Result[]>,
  { keysOf = () => [], max }: GroupOptions<Job>,
): (job: Job) => Promise<Result> {
  let waiting: Waiting<Job, Result>[] = [];
  const runningKeys = new Set<string>();
  /** A group is about to be taken, or has been running for less than `PATIENCE_MS`. */
  let isBusy = false;

  function takeGroup(): Waiting<Job, Result>[] {
    const group: Waiting<Job, Result>[] = [];
    const later: Waiting<Job, Result>[] = [];
    for (const one of waiting) {
      const isFree = group.length < max && !one.keys.some((key) => runningKeys.has(key));
      if (isFree) for (const key of one.keys) runningKeys.add(key);
      (isFree ? group : later).push(one);
    }
    waiting = later;
    return group;
  }

  async function runGroup(group: readonly Waiting<Job, Result>[]): Promise<void> {
    try {
      const results = await run(group.map(({ job }) => job));
      // Safe: there is a result for each job.
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      for (const { keys } of group) for (const key of keys) runningKeys.delete(key);
    }
  }

  async function startNext(): Promise<void> {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    await setImmediate();
    const group = takeGroup();
    const running = group.length > 0 ? runGroup(group) : undefined;
    await (running && Promise.race([running, setTimeout(PATIENCE_MS, undefined, { ref: false })]));
    isBusy = false;
    if (!running) return;
    // Also when this one ends: jobs may wait for its keys alone.
    void running.then(startNext);
    void startNext();
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, keys: keysOf(job), resolve, reject });
      void startNext();
    });
}

/**
 * Makes a function that does the jobs of concurrent requests by one statement. Those that arrive while a group runs are
 * the next one of their connection; the first waits for one iteration of the event loop, so that every request in it
 * joins the group.
 * @param run returns the results in the order of the jobs. If it throws, every job of the group fails
 */
export function grouping<Job, Result>(
  run: (db: Connection, jobs: readonly Job[]) => Promise<readonly Result[]>,
  options: GroupOptions<Job>,
): (db: Connection, job: Job) => Promise<Result> {
  const byConnection = new WeakMap<Connection, (job: Job) => Promise<Result>>();
  // Taken here, and not with a request: a group belongs to none, and its processor time is nobody's.
  const outsideRequests = AsyncLocalStorage.snapshot();
  return (db, job) => {
    const groups = byConnection.get(db) ?? createGroups<Job, Result>((jobs) => run(db, jobs), options);
    byConnection.set(db, groups);
    return outsideRequests(groups, job);
  };
}
