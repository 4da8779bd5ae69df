import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type ChangeListener, type Database, PendingCommit, type Unit } from './database.ts';
import { isBusy } from './failures.ts';
import { connectSqlite, type SqliteConnection } from './sqlite-connection.ts';
import { createWriteProbe, requireRoom } from './write-probe.ts';

/** How long a unit waits for another process to let go of the write lock before it is refused. */
const LOCK_PATIENCE_MS = 1_500;
const LOCK_RETRY_MS = 5;

/** How long answers can be kept that another process has made untrue. */
const LOOK_FOR_OTHERS_EVERY_MS = 100;

/** Units in one commit at most, so that the first of them is not kept waiting by the last. */
const GROUP_MAX = 256;

interface Job {
  readonly since: number;
  run: Unit<unknown>;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

type GroupStatements = ReturnType<typeof prepareGroup>;

/** Each runs with every group or unit; to compile them anew took as long as storing a review. */
function prepareGroup({ raw }: SqliteConnection) {
  return {
    begin: raw.prepare('BEGIN IMMEDIATE'),
    commit: raw.prepare('COMMIT'),
    enter: raw.prepare('SAVEPOINT unit'),
    leave: raw.prepare('RELEASE unit'),
  };
}

/** BEGIN, waiting for the write lock with the event loop free. @throws the driver's busy error when patience ends. */
async function begin(statements: GroupStatements, patienceEnds: number): Promise<void> {
  for (;;) {
    try {
      statements.begin.run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > patienceEnds) throw error;
      await setTimeout(LOCK_RETRY_MS);
    }
  }
}

/**
 * Group commit: the units that wait together are committed together, each in a savepoint of its own, so that one
 * fsync serves them all and a failing one takes nothing with it. Each is answered after the commit.
 */
function createWriter(
  connection: SqliteConnection,
  { onTags }: ChangeListener,
  { lookForOthers, noteFailure }: { lookForOthers: () => void; noteFailure: (error: unknown) => void },
) {
  const { raw, kysely } = connection;
  const statements = prepareGroup(connection);
  const waiting: Job[] = [];
  let working: Promise<void> | undefined;

  async function runJob(job: Job): Promise<(() => void) | undefined> {
    const commit = new PendingCommit();
    statements.enter.run();
    try {
      const value = await job.run(kysely, commit);
      statements.leave.run();
      return () => {
        commit.settle(onTags);
        job.resolve(value);
      };
    } catch (error) {
      noteFailure(error);
      // A full disk or an I/O error rolls the whole transaction back by itself: then nobody's unit stands.
      if (!raw.isTransaction) throw error;
      raw.exec('ROLLBACK TO unit; RELEASE unit');
      job.reject(error);
      return undefined;
    }
  }

  /** Refuses those who have waited long enough; the others, who came meanwhile, have patience left of their own. */
  function refuseTired(group: Job[], error: unknown): void {
    const isTired = ({ since }: Job) => performance.now() > since + LOCK_PATIENCE_MS;
    for (const job of group.filter(isTired)) job.reject(error);
    waiting.unshift(...group.filter((job) => !isTired(job)));
  }

  async function commitGroup(group: Job[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await begin(statements, (group[0]?.since ?? 0) + LOCK_PATIENCE_MS);
    } catch (error) {
      noteFailure(error);
      if (isBusy(error)) refuseTired(group, error);
      else for (const job of group) job.reject(error);
      return;
    }
    try {
      lookForOthers();
      for (const job of group) {
        const act = await runJob(job);
        if (act) settle.push(act);
      }
      statements.commit.run();
    } catch (error) {
      noteFailure(error);
      if (raw.isTransaction) raw.exec('ROLLBACK');
      // Those already refused keep their own reason: a second rejection of a promise does nothing.
      for (const job of group) job.reject(error);
      return;
    }
    for (const act of settle) act();
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // Lets every request that arrived in this turn of the event loop join the group.
      await setImmediate();
      await commitGroup(waiting.splice(0, GROUP_MAX));
    }
    working = undefined;
  }

  return {
    write<T>(unit: Unit<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        waiting.push({ since: performance.now(), run: unit, resolve: resolve as (value: unknown) => void, reject });
        working ??= work();
      });
    },
    idle: async () => working,
  };
}

/**
 * Finds out whether another process, such as the import command, has committed: SQLite counts up a number that stays
 * still for the commits of one's own connection (https://www.sqlite.org/pragma.html#pragma_data_version).
 */
function watchOthers({ raw }: SqliteConnection, { onUnknownChange }: ChangeListener): () => void {
  const statement = raw.prepare('PRAGMA data_version');
  const read = () => Object.values(statement.get() ?? {})[0];
  let seen = read();
  return () => {
    const version = read();
    if (version === seen) return;
    seen = version;
    onUnknownChange();
  };
}

/** Readable by nobody else: SQLite would go by the umask. What it keeps beside the file takes after it. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/** Opens the embedded database: one connection that reads, one that writes. */
export function openSqlite(path: string, listener: ChangeListener): Database {
  makeFile(path);
  const writing = connectSqlite(path, { readOnly: false });
  const reading = connectSqlite(path, { readOnly: true });
  // A wait inside SQLite stops everything else: with 50 ms of each 60 spent there, readers were refused as in an
  // overload. `begin` waits with the event loop free, and a transaction that has begun has nobody to wait for.
  writing.raw.exec('PRAGMA busy_timeout = 0');
  const lookForOthers = watchOthers(writing, listener);
  const timer = setInterval(lookForOthers, LOOK_FOR_OTHERS_EVERY_MS).unref();
  const noteFailure = (error: unknown) => probe.noteFailure(error);
  const writer = createWriter(writing, listener, { lookForOthers, noteFailure });
  const probe = createWriteProbe(writer.write, () => requireRoom(dirname(path)));
  return {
    engine: 'sqlite',
    // Each connection refuses to open with less than full durability.
    warnings: { durability: [], privileges: [] },
    read: reading.kysely,
    readShared: () => reading.kysely,
    write: writer.write,
    checkWritable: probe.check,
    async close() {
      clearInterval(timer);
      await writer.idle();
      // By hand: Kysely closes only what it has used.
      reading.raw.close();
      writing.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      writing.raw.close();
    },
  };
}
