import type { DatabaseSync } from 'node:sqlite';

/** Lets the reads of one iteration of the event loop see the same state of the database. */
export interface Snapshots {
  /** To be called before every read. */
  begin(): void;
  /** The next read sees what is committed by now. */
  end(): void;
}

/**
 * Beginning to read takes SQLite 10 to 20 µs, and reading a session 3: it takes a lock, and forgets the pages that it
 * has read when there was a commit. So the reads of an iteration share one transaction. No request that begins after
 * a commit reads an older state: its own process ends the snapshot at the commit, and what another process has told
 * arrives in a later iteration.
 */
export function createSnapshots(raw: DatabaseSync): Snapshots {
  const statements = { begin: raw.prepare('BEGIN'), commit: raw.prepare('COMMIT') };
  let isOpen = false;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    statements.commit.run();
  }

  return {
    begin() {
      if (raw.isTransaction) return;
      statements.begin.run();
      isOpen = true;
      setImmediate(end);
    },
    end,
  };
}
