import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type ChangeListener,
  type Commit,
  type Connection,
  type Database,
  PendingCommit,
  type TransactionBody,
} from './database.ts';
import { isBusy, isFull, isUnavailable } from './failures.ts';
import { connectSqlite, createReader, createWriting } from './sqlite-connection.ts';
import { makeFile, watchFiles } from './sqlite-files.ts';
import { createLogKeeper } from './sqlite-log.ts';
import { createWriteProbe, requireFreeSpace } from './write-probe.ts';

/** How long a write waits for another process to release the write lock. Then it fails. */
const LOCK_WAIT_MAX_MS = 1_500;
const LOCK_RETRY_MS = 5;

/** The longest time for which a cached response can be stale after another process has written. */
const CHECK_EVERY_MS = 100;

/** The maximum number of writes in one commit, so that the first does not wait too long for the last. */
const GROUP_MAX = 256;

interface Job {
  readonly since: number;
  run: TransactionBody<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

type GroupStatements = ReturnType<typeof prepareGroup>;

/** Prepared once: compiling these statements for every group took as long as storing a review. */
function prepareGroup(raw: DatabaseSync) {
  return {
    begin: raw.prepare('BEGIN IMMEDIATE'),
    commit: raw.prepare('COMMIT'),
    enter: raw.prepare('SAVEPOINT job'),
    leave: raw.prepare('RELEASE job'),
  };
}

/** Retries BEGIN without blocking the event loop. @throws the driver's busy error after the deadline */
async function begin(statements: GroupStatements, endSnapshots: () => void, deadline: number): Promise<void> {
  for (;;) {
    try {
      // Nothing can begin within a snapshot, and while an older state is read, SQLite cannot write its log from the
      // start again.
      endSnapshots();
      statements.begin.run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await setTimeout(LOCK_RETRY_MS);
    }
  }
}

interface WriterTools {
  readonly checkForOtherCommits: () => void;
  readonly endSnapshots: () => void;
  readonly recordFailure: (error: unknown) => void;
  readonly log: ReturnType<typeof createLogKeeper>;
}

/**
 * Group commit: queued writes are committed together, each in a savepoint of its own. One fsync serves them all, and a
 * failing write does not affect the others. Each caller is answered after the commit.
 */
function createWriter(
  raw: DatabaseSync,
  { onTags }: SqliteListener,
  { checkForOtherCommits, endSnapshots, recordFailure, log }: WriterTools,
) {
  const kysely = createWriting(raw, endSnapshots);
  const statements = prepareGroup(raw);
  const waiting: Job[] = [];
  let working: Promise<void> | undefined;
  let isRoomNeeded = false;
  /** A group belongs to no request, but each job in it to its own. */
  const outsideRequests = AsyncLocalStorage.snapshot();

  function onFailure(error: unknown): void {
    recordFailure(error);
    isRoomNeeded ||= isFull(error);
  }

  /** @returns the commit and what follows it; undefined when the job has failed */
  async function runJob(job: Job): Promise<{ commit: PendingCommit; confirm: () => void } | undefined> {
    const commit = new PendingCommit();
    statements.enter.run();
    try {
      const value = await job.run(kysely, commit);
      statements.leave.run();
      const confirm = () => {
        commit.publish(onTags);
        job.resolve(value);
      };
      return { commit, confirm };
    } catch (error) {
      onFailure(error);
      // A full disk or an I/O error makes SQLite roll back the whole transaction: every write of the group has failed.
      // The transaction that is open then can only be the snapshot of a read.
      endSnapshots();
      if (!raw.isTransaction) throw error;
      raw.exec('ROLLBACK TO job; RELEASE job');
      job.reject(error);
      return undefined;
    }
  }

  /** Rejects the writes that have waited too long. The others were queued later and keep waiting. */
  function rejectExpired(group: Job[], error: unknown): void {
    const isExpired = ({ since }: Job) => performance.now() > since + LOCK_WAIT_MAX_MS;
    for (const job of group.filter(isExpired)) job.reject(error);
    waiting.unshift(...group.filter((job) => !isExpired(job)));
  }

  async function commitGroup(group: Job[]): Promise<void> {
    const done: NonNullable<Awaited<ReturnType<typeof runJob>>>[] = [];
    try {
      await begin(statements, endSnapshots, (group[0]?.since ?? 0) + LOCK_WAIT_MAX_MS);
    } catch (error) {
      onFailure(error);
      if (isBusy(error)) rejectExpired(group, error);
      else for (const job of group) job.reject(error);
      return;
    }
    try {
      checkForOtherCommits();
      for (const job of group) {
        const result = await runJob(job);
        if (result) done.push(result);
      }
      statements.commit.run();
    } catch (error) {
      onFailure(error);
      if (raw.isTransaction) raw.exec('ROLLBACK');
      // Jobs that were already rejected keep their first error: rejecting a promise again does nothing.
      for (const job of group) job.reject(error);
      return;
    }
    endSnapshots();
    if (done.some(({ commit }) => commit.isErasing)) log.empty();
    for (const { confirm } of done) confirm();
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // Waits for one iteration of the event loop, so that every request in it joins the group.
      await setImmediate();
      try {
        await log.maintain();
      } catch (error) {
        onFailure(error);
        for (const job of waiting.splice(0)) job.reject(error);
        continue;
      }
      await commitGroup(waiting.splice(0, GROUP_MAX));
      if (isRoomNeeded) log.empty();
      isRoomNeeded = false;
    }
    working = undefined;
  }

  return {
    write<T>(body: TransactionBody<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const run = AsyncLocalStorage.bind(async (db: Connection, commit: Commit) => {
          // From here on the code continues the request, so that its processor time is charged to it.
          await undefined;
          return body(db, commit);
        });
        waiting.push({ since: performance.now(), run, resolve: resolve as (value: unknown) => void, reject });
        working ??= outsideRequests(work);
      });
    },
    idle: async () => working,
  };
}

/**
 * Detects commits by other processes, such as the import command: SQLite increments this number for every commit that
 * another connection made (https://www.sqlite.org/pragma.html#pragma_data_version).
 */
function watchOtherCommits(
  raw: DatabaseSync,
  { onUnknownChange }: SqliteListener,
  endSnapshots: () => void,
): () => void {
  const statement = raw.prepare('PRAGMA data_version');
  const read = () => Object.values(statement.get() ?? {})[0];
  let seen = read();
  return () => {
    let version: typeof seen;
    try {
      version = read();
    } catch (error) {
      // Another process opens or closes the file (SQLITE_BUSY_RECOVERY). It is asked again 100 ms later.
      if (isBusy(error)) return;
      throw error;
    }
    if (version === seen) return;
    seen = version;
    endSnapshots();
    onUnknownChange?.();
  };
}

/** On SQLite only these two are called. A command has no cache to invalidate, and leaves them out. */
type SqliteListener = Partial<Pick<ChangeListener, 'onTags' | 'onUnknownChange'>>;

/** Opens the embedded database with two connections: one reads and writes, one reads while the other writes. */
export function openSqlite(path: string, listener: SqliteListener = {}): Database {
  makeFile(path);
  const writing = connectSqlite(path, { readOnly: false });
  const reading = connectSqlite(path, { readOnly: true });
  const { kysely: read, endSnapshots } = createReader(writing, reading);
  const checkForOtherCommits = watchOtherCommits(writing, listener, endSnapshots);
  // A wait inside SQLite blocks the event loop: when it took 50 of every 60 ms, load shedding refused readers. `begin`
  // waits asynchronously, and a transaction that has begun waits for no lock.
  writing.exec('PRAGMA busy_timeout = 0');
  const log = createLogKeeper(writing, path, endSnapshots);
  const requireSameFiles = watchFiles(path, () => {
    // Ended by an error, this process may wait for a checkpoint that its thread has begun.
    writing.exec('PRAGMA busy_timeout = 1500');
    log.empty();
  });
  const timer = setInterval(() => {
    // Not caught: this process ends, and the next one opens the files that are there.
    requireSameFiles();
    checkForOtherCommits();
    void log.maintain();
  }, CHECK_EVERY_MS).unref();
  const recordFailure = (error: unknown) => probe.recordFailure(error);
  const writer = createWriter(writing, listener, { checkForOtherCommits, endSnapshots, recordFailure, log });
  const probe = createWriteProbe(writer.write, () => requireFreeSpace(dirname(path)));
  return {
    engine: 'sqlite',
    // `connectSqlite` throws unless durability is full.
    warnings: { durability: [], privileges: [] },
    read,
    readShared: () => read,
    write: writer.write,
    checkWritable: probe.check,
    hasFollowed: () => true,
    follow: async () => {},
    statistics: () => ({ connections: undefined, replicas: undefined }),
    async close() {
      clearInterval(timer);
      await writer.idle();
      await log.close();
      endSnapshots();
      // Not through Kysely, which closes only a connection that it has used.
      reading.close();
      try {
        writing.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Pages that find no room in the file stay in the log: the next process that opens the database copies them.
        if (!isUnavailable(error)) throw error;
      } finally {
        writing.close();
      }
    },
  };
}
