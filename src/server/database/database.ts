import type { Kysely } from 'kysely';
import type { Tag } from '../cache/tags.ts';
import type { Tables } from './tables.ts';

/** A connection or transaction to build queries on. */
export type Connection = Kysely<Tables>;

/** What a unit asks for once it is committed: nothing is told of what was rolled back. */
export interface Commit {
  /** Names what changed: cached responses made from it are invalidated. */
  invalidate(...tags: readonly Tag[]): void;
  /** Runs after the commit; must not throw. */
  after(act: () => void): void;
}

/** Statements that hold together or not at all. On SQLite it must wait for nothing but its own queries. */
export type Unit<T> = (db: Connection, commit: Commit) => Promise<T>;

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For the operator to read: what makes an answered write less than durable, what the product may needlessly do. */
  readonly warnings: Readonly<Record<'durability' | 'privileges', readonly string[]>>;
  /** For reading what must be true this moment: who may, what is one's own. Never sees what is not committed. */
  readonly read: Connection;
  /** For reading what is public: may be a replica, if it has every change that this process has heard of. */
  readShared(): Connection;
  /** Runs a unit in a transaction and answers after the commit. A unit that throws changes nothing. */
  write<T>(unit: Unit<T>): Promise<T>;
  /** After a write that failed for want of a disk or a server: whether writes get in again. @throws when they do not */
  checkWritable(): Promise<void>;
  close(): Promise<void>;
}

/** Hears what each commit invalidates. */
export type TagListener = (tags: ReadonlySet<Tag>) => void;

/** Hears of changes, so that what was made from the data before can fall. */
export interface ChangeListener {
  /** After a commit of this process or, on PostgreSQL, of another one. */
  onTags: TagListener;
  /** Another process has changed something and did not say what. */
  onUnknownChange(): void;
  /** The changes of other processes arrive from now on; nobody knows what changed before. */
  onSubscribed(): void;
  /** The changes of other processes no longer arrive, and why. On SQLite they always do. */
  onUnsubscribed(reason: string): void;
}

/** For commands, which keep nothing. */
export const NOBODY_LISTENS: ChangeListener = {
  onTags() {},
  onUnknownChange() {},
  onSubscribed() {},
  onUnsubscribed() {},
};

/** Collects what one unit asks for, to be acted on after the commit. */
export class PendingCommit implements Commit {
  readonly tags = new Set<Tag>();
  readonly acts: (() => void)[] = [];

  invalidate(...tags: readonly Tag[]): void {
    for (const tag of tags) this.tags.add(tag);
  }

  after(act: () => void): void {
    this.acts.push(act);
  }

  settle(onTags: TagListener): void {
    if (this.tags.size > 0) onTags(this.tags);
    for (const act of this.acts) act();
  }
}
