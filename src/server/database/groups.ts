import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Connection } from './database.ts';

/** How long a group waits at most for the one before it. Then both run at once: the first may be stuck. */
const WAIT_MAX_MS = 20;

/** The maximum number of jobs in a group, so that the first does not wait too long for the last. */
const GROUP_MAX = 64;

/** The keys of a job: jobs that have one in common never run at the same time. */
type KeysOf<Job> = (job: Job) => readonly string[];

interface WaitingJob<Job, Result> {
  readonly job: Job;
  readonly keys: readonly string[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

function createGroups<Job, Result>(
  run: (jobs: readonly Job[]) => Promise<readonly Result[]>,
  keysOf: KeysOf<Job>,
): (job: Job) => Promise<Result> {
  let waiting: WaitingJob<Job, Result>[] = [];
  const runningKeys = new Set<string>();
  /** A group is about to start, or has been running for less than `WAIT_MAX_MS`. */
  let isBusy = false;

  function takeGroup(): WaitingJob<Job, Result>[] {
    const group: WaitingJob<Job, Result>[] = [];
    const later: WaitingJob<Job, Result>[] = [];
    for (const one of waiting) {
      const isFree = group.length < GROUP_MAX && !one.keys.some((key) => runningKeys.has(key));
      if (isFree) for (const key of one.keys) runningKeys.add(key);
      (isFree ? group : later).push(one);
    }
    waiting = later;
    return group;
  }

  async function runGroup(group: readonly WaitingJob<Job, Result>[]): Promise<void> {
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
    if (group.length === 0) {
      isBusy = false;
      return;
    }
    const running = runGroup(group);
    await Promise.race([running, setTimeout(WAIT_MAX_MS, undefined, { ref: false })]);
    isBusy = false;
    void startNext();
    // Jobs may wait because this group has their keys.
    void running.then(startNext);
  }

  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, keys: keysOf(job), resolve, reject });
      void startNext();
    });
}

/**
 * Makes a function that does the jobs of concurrent requests by one statement. Jobs that arrive while a group runs form
 * the next group of their connection. The first job waits for one iteration of the event loop, so that every request in
 * it joins the group.
 * @param run returns the results in the order of the jobs. If it throws, every job of the group fails
 */
export function grouping<Job, Result>(
  run: (db: Connection, jobs: readonly Job[]) => Promise<readonly Result[]>,
  keysOf: KeysOf<Job> = () => [],
): (db: Connection, job: Job) => Promise<Result> {
  const byConnection = new WeakMap<Connection, (job: Job) => Promise<Result>>();
  // A group belongs to no request: its processor time is charged to none.
  const outsideRequests = AsyncLocalStorage.snapshot();
  return (db, job) => {
    const groups = byConnection.get(db) ?? createGroups<Job, Result>((jobs) => run(db, jobs), keysOf);
    byConnection.set(db, groups);
    return outsideRequests(groups, job);
  };
}

/** Makes a function that looks a row up by its id, together with those that concurrent requests look for. */
export function groupingLookUps<Id, Row>(
  query: (db: Connection, values: { ids: readonly Id[] }) => Promise<Row[]>,
  idOf: (row: Row) => Id,
): (db: Connection, id: Id) => Promise<Row | undefined> {
  return grouping(async (db, ids) => {
    const found = new Map((await query(db, { ids })).map((row) => [idOf(row), row]));
    return ids.map((id) => found.get(id));
  });
}
