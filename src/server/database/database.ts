import type { Kysely } from 'kysely';
import type { Tag } from './change-tags.ts';
import type { Tables } from './tables.ts';

/** A connection or transaction to build queries on. */
export type Connection = Kysely<Tables>;

/** What a transaction asks for after its commit. A transaction that is rolled back announces nothing. */
export interface Commit {
  /** Names what changed: cached responses made from it are invalidated. */
  invalidate(...tags: readonly Tag[]): void;
  /** Runs after the commit; must not throw. */
  after(callback: () => void): void;
}

/** The statements of one transaction. On SQLite they must await nothing but their own queries. */
export type TransactionBody<T> = (db: Connection, commit: Commit) => Promise<T>;

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Shown to the operator: settings that can lose answered writes, and privileges the product does not need. */
  readonly warnings: Readonly<Record<'durability' | 'privileges', readonly string[]>>;
  /** For reads that must be current, such as privileges and a user's own data. Sees committed data only. */
  readonly read: Connection;
  /** For reads of public data: may be a replica, if it has every change that this process knows of. */
  readShared(): Connection;
  /** Runs the body in a transaction and resolves after the commit. A body that throws changes nothing. */
  write<T>(body: TransactionBody<T>): Promise<T>;
  /** Tries a write if one has failed because the disk or the server was unavailable. @throws when it fails again */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** Is called with the tags that a commit invalidates. */
export type TagListener = (tags: ReadonlySet<Tag>) => void;

/** Is told of changes, so that responses made from older data can be invalidated. */
export interface ChangeListener {
  /** After a commit of this process or, on PostgreSQL, of another one. */
  onTags: TagListener;
  /** Another process has changed data without naming tags. */
  onUnknownChange(): void;
  /** LISTEN is connected: changes by other processes arrive from now on, but any may have been missed before. */
  onSubscribed(): void;
  /** Changes by other processes no longer arrive, for this reason. Never called on SQLite. */
  onUnsubscribed(reason: string): void;
}

/** For commands, which cache nothing. */
export const NOBODY_LISTENS: ChangeListener = {
  onTags() {},
  onUnknownChange() {},
  onSubscribed() {},
  onUnsubscribed() {},
};

/** Collects the tags and callbacks of one transaction until it is committed. */
export class PendingCommit implements Commit {
  readonly tags = new Set<Tag>();
  readonly callbacks: (() => void)[] = [];

  invalidate(...tags: readonly Tag[]): void {
    for (const tag of tags) this.tags.add(tag);
  }

  after(callback: () => void): void {
    this.callbacks.push(callback);
  }

  publish(onTags: TagListener): void {
    if (this.tags.size > 0) onTags(this.tags);
    for (const callback of this.callbacks) callback();
  }
}
