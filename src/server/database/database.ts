import { type Kysely, PostgresAdapter } from 'kysely';
import type { Tag } from './change-tags.ts';
import type { Tables } from './tables.ts';

/** A connection or a transaction on which queries run. */
export type Connection = Kysely<Tables>;

/** Whether a connection is one to PostgreSQL. */
export const isPostgres = (db: Connection) => db.getExecutor().adapter instanceof PostgresAdapter;

/** Registers what follows the commit of a transaction. After a rollback nothing of it happens. */
export interface Commit {
  /** Names what the transaction changed: cached responses with these tags are invalidated. */
  invalidate(...tags: readonly Tag[]): void;
  /**
   * Also overwrites the deleted data in the database's files. Does nothing on PostgreSQL: VACUUM overwrites deleted
   * rows later, and its log and archive keep them.
   */
  erase(): void;
  /** Runs after the commit; must not throw. */
  after(callback: () => void): void;
}

/**
 * The position of a change in the log, on PostgreSQL: the number of its transaction. If one client sends its writes one
 * after the other, a higher position is a later write. Positions of different clients cannot be compared.
 */
export type Position = number;

/**
 * The statements of one transaction. On SQLite they must await nothing but their own queries, because all other writes
 * wait meanwhile. `together` awaits several queries at once.
 */
export type TransactionBody<T> = (db: Connection, commit: Commit) => Promise<T>;

/**
 * Sends one statement that makes a whole change and adds its row to the log of changes.
 * @returns the position of that row; undefined if the statement has changed nothing
 */
export type StatementBody<T> = (
  db: Connection,
  commit: Commit,
) => Promise<{ readonly value: T; readonly position: Position } | undefined>;

/**
 * Awaits queries of one transaction that are sent together (docs/decisions/056-queries-sent-together.md).
 * @throws the first failure, but only once all queries have ended: on SQLite the later ones would otherwise run in the
 * next transaction
 */
export async function together<T extends readonly unknown[] | []>(
  queries: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  try {
    return await Promise.all(queries);
  } catch (error) {
    await Promise.allSettled(queries);
    throw error;
  }
}

/** The figures of a PostgreSQL database for monitoring. */
export interface DatabaseStatistics {
  /** The connections of this process to the primary, and how many queries wait for one. */
  readonly connections: { readonly total: number; readonly idle: number; readonly waiting: number } | undefined;
  /**
   * How many replicas there are, and how many of them are current; how many reads of public data went to the primary
   * and to replicas; and for each host, how many seconds ago it was last known to have every change.
   */
  readonly replicas:
    | {
        readonly all: number;
        readonly current: number;
        readonly reads: { primary: number; replica: number };
        readonly lags: Readonly<Record<string, number>>;
      }
    | undefined;
}

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Warnings for the operator: settings that can lose answered writes, and privileges that the product does not need.
   */
  readonly warnings: Readonly<Record<'durability' | 'privileges', readonly string[]>>;
  /** For reads that must be current, such as privileges and a user's own data. It sees only committed data. */
  readonly read: Connection;
  /** For reads of public data. It may be a replica that has every change this process knows of. */
  readShared(): Connection;
  /** Runs the body in a transaction and resolves after the commit. If the body throws, nothing is changed. */
  write<T>(body: TransactionBody<T>): Promise<T>;
  /**
   * Makes a change in one statement, which commits by itself. Only on PostgreSQL without a pooler, where a transaction
   * waits for the server several times (docs/decisions/058-a-post-in-one-statement.md).
   * @returns undefined if nothing was changed; then the caller runs a transaction instead
   */
  writeInOneStatement?<T>(body: StatementBody<T>): Promise<T | undefined>;
  /**
   * If a write has failed because the disk or the server was unavailable, tries another one.
   * @throws when that fails too
   */
  checkWritable(): Promise<void>;
  /** Whether this process has received these changes. Also true while it caches nothing, and always on SQLite. */
  hasFollowed(positions: readonly Position[]): boolean;
  /** Receives the changes up to the last commit before this call. @throws when the database does not answer */
  follow(): Promise<void>;
  statistics(): DatabaseStatistics;
  close(): Promise<void>;
}

/** Called with the tags that a commit invalidates. The position is that of a commit of this process on PostgreSQL. */
export type TagListener = (tags: ReadonlySet<Tag>, position?: Position) => void;

/** Receives the changes of the database, so that responses made from older data can be invalidated. */
export interface ChangeListener {
  /** Called after a commit of this process or, on PostgreSQL, of another one. */
  onTags: TagListener;
  /** Anything may have changed: another process has named no tags, or its changes may have been missed. */
  onUnknownChange(): void;
  /** LISTEN is active: changes by other processes arrive from now on. Earlier ones may have been missed. */
  onSubscribed(): void;
  /** Changes by other processes no longer arrive. */
  onUnsubscribed(reason: string): void;
  /** All changes up to now have arrived. */
  onFollowed?(): void;
}

/** Collects the tags and callbacks of one transaction until it is committed. */
export class PendingCommit implements Commit {
  readonly tags = new Set<Tag>();
  readonly callbacks: (() => void)[] = [];
  isErasing = false;

  invalidate(...tags: readonly Tag[]): void {
    for (const tag of tags) this.tags.add(tag);
  }

  erase(): void {
    this.isErasing = true;
  }

  after(callback: () => void): void {
    this.callbacks.push(callback);
  }

  publish(onTags: TagListener | undefined): void {
    if (this.tags.size > 0) onTags?.(this.tags);
    for (const callback of this.callbacks) callback();
  }
}
