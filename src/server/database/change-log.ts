import type pg from 'pg';
import { EVERYTHING, readTags, type Tag, writeTags } from './change-tags.ts';
import type { ChangeListener, Connection, Position } from './database.ts';
import { isReadOnly } from './failures.ts';
import { createRerun } from './in-order.ts';

/**
 * The log of changes on PostgreSQL. A transaction that changes public data adds one row: its own number, and the tags
 * that it invalidates.
 *
 * Rows become visible in the order of the commits, which is not that of the numbers. A reader that selects the numbers
 * above the highest one seen misses a transaction that began earlier and commits later. A reader therefore keeps the
 * snapshot of its last read. That snapshot did not see two sets of numbers: those that were not assigned yet (from
 * `pg_snapshot_xmax` on), and those in progress (`pg_snapshot_xip`). The next read selects these. So a row is read once,
 * as soon as it is committed, however long other transactions run; and a transaction that is rolled back leaves no row
 * and, in the next snapshot, no gap.
 */

/** Adds the row of a transaction. @returns the position of the change, once the transaction is committed */
export async function logChange(db: Connection, tags: ReadonlySet<Tag>): Promise<Position> {
  const { xid } = await db
    .insertInto('change_log')
    .values({ tags: writeTags(tags) })
    .returning('xid')
    .executeTakeFirstOrThrow();
  return Number(xid);
}

const FIND_LOG = `select 1 where to_regclass('change_log') is not null`;

/** Returns one row: the changes, and the snapshot in which they were read. */
const READ = `
  select pg_current_snapshot()::text as snapshot,
    (select xid from change_log order by xid limit 1) as oldest,
    array(
      select tags from change_log where xid >= pg_snapshot_xmax($1::pg_snapshot)
      union all
      select tags from change_log where xid = any(array(select pg_snapshot_xip($1::pg_snapshot)))
    ) as changes`;

/**
 * Deletes the rows below a snapshot's xmin, except for the last of them. A reader whose own xmin is below the first
 * remaining row may have missed deleted rows; any other reader has missed none.
 */
const TRIM = `
  delete from change_log where xid < (
    select xid from change_log where xid < pg_snapshot_xmin($1::pg_snapshot) order by xid desc limit 1)`;

/** Deletes rows with numbers that this server has never assigned: they come from the dump of another server. */
const DELETE_FOREIGN = 'delete from change_log where xid >= pg_snapshot_xmax(pg_current_snapshot())';

/** A snapshot of a server's transactions, as `pg_current_snapshot()` writes it: `xmin:xmax:xip,xip`. */
class Snapshot {
  readonly text: string;
  /** All transactions below it are committed or rolled back. */
  readonly xmin: Position;
  /** The first number that is not assigned yet. */
  readonly xmax: Position;
  readonly #inProgress: ReadonlySet<Position>;

  constructor(text: string) {
    const [xmin = '', xmax = '', inProgress = ''] = text.split(':');
    this.text = text;
    this.xmin = Number(xmin);
    this.xmax = Number(xmax);
    this.#inProgress = new Set(inProgress.split(',').filter(Boolean).map(Number));
  }

  sees(xid: Position): boolean {
    return xid < this.xmax && !this.#inProgress.has(xid);
  }
}

/**
 * A position this far ahead of the last read is invalid: the log is read every second, and no server assigns so many
 * numbers in ten seconds.
 */
const AHEAD_MAX = 100_000;

/** Sends one statement. */
export type SendQuery = (text: string, values?: unknown[]) => Promise<pg.QueryResult>;

type LogListener = Pick<ChangeListener, 'onTags' | 'onUnknownChange'>;

/** Passes tags on to the listener, from the text that `writeTags` wrote. */
export function notifyListener(text: string, listener: LogListener): void {
  const tags = readTags(text);
  if (tags.has(EVERYTHING)) listener.onUnknownChange();
  else listener.onTags(tags);
}

/** Reads the log of one server from now on. */
export type LogReader = ReturnType<typeof createLogReader>;

/** @param send must always use the same connection, because two servers can differ in what is committed */
export function createLogReader(send: SendQuery, listener: LogListener) {
  let lastSnapshot: Snapshot | undefined;
  /** The value of `lastSnapshot` at the previous trim: the next trim deletes the rows that it saw. */
  let snapshotAtTrim: Snapshot | undefined;
  let hasForeign = true;
  let isThere = false;

  /**
   * While the server is read-only, the deletion is retried at each read. Foreign rows that are still there only make
   * this process invalidate more.
   */
  async function deleteForeign(): Promise<void> {
    try {
      await send(DELETE_FOREIGN);
      hasForeign = false;
    } catch (error) {
      if (!isReadOnly(error)) throw error;
    }
  }

  async function readNow(): Promise<void> {
    const since = lastSnapshot;
    if (hasForeign) await deleteForeign();
    const { rows } = await send(READ, [since?.text]);
    const [{ snapshot, oldest, changes }] = rows as [{ snapshot: string; oldest: string | null; changes: string[] }];
    lastSnapshot = new Snapshot(snapshot);
    // If the process was suspended for a while, rows that it has not read may be deleted.
    if (!since || Number(oldest) > since.xmin) listener.onUnknownChange();
    else for (const tags of changes) notifyListener(tags, listener);
  }

  /**
   * Before the first migration there is no log, and no cached response either. The server would log each statement about
   * a missing table as an error.
   */
  async function readIfThere(): Promise<void> {
    isThere ||= (await send(FIND_LOG)).rows.length > 0;
    if (isThere) await readNow();
  }

  return {
    /** Whether the row of a position was read; also true before the first read, and for an invalid position. */
    hasRead: (position: Position) =>
      !lastSnapshot || lastSnapshot.sees(position) || position > lastSnapshot.xmax + AHEAD_MAX,
    /**
     * Passes on everything that was committed before this call. Calls during a read share the next one.
     * @throws the error of the database
     */
    read: createRerun(readIfThere),
    /** Deletes, through another connection, what this reader had read by the last call of this function. */
    async trim(sendOther: SendQuery): Promise<void> {
      const previous = snapshotAtTrim;
      snapshotAtTrim = lastSnapshot;
      if (previous) await sendOther(TRIM, [previous.text]);
    },
  };
}
