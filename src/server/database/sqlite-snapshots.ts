import type { DatabaseSync } from 'node:sqlite';

/** Lets the reads of one iteration of the event loop share a snapshot of the database. */
export type Snapshots = ReturnType<typeof createSnapshots>;

/**
 * When a read begins, SQLite takes a lock and looks for commits by others: under load, reading a session took 11 to 19
 * µs, and an entry within a transaction 3 µs. So the reads of an iteration share one transaction. No
 * request that begins after a commit of this process reads an older state, because the commit ends the snapshot. A
 * commit of another process, such as a command, may be seen one iteration late: a snapshot that begins in a
 * `setImmediate` callback lasts until the next such callbacks.
 */
export function createSnapshots(raw: DatabaseSync) {
  const statements = { begin: raw.prepare('BEGIN'), commit: raw.prepare('COMMIT') };
  let isOpen = false;

  /** Makes the next read see all commits up to now. */
  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    try {
      statements.commit.run();
    } catch {
      // After a read of a damaged page the commit fails too. Nothing was written that could be lost.
      if (raw.isTransaction) raw.exec('ROLLBACK');
    }
  }

  return {
    /** Whether a read would be in a snapshot, not in a transaction that began otherwise. */
    canBegin: () => isOpen || !raw.isTransaction,
    /** To be called before every read. */
    begin(): void {
      if (isOpen || raw.isTransaction) return;
      statements.begin.run();
      isOpen = true;
      setImmediate(end);
    },
    end,
  };
}
