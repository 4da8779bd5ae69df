import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { requireFileOfLog } from './database-file.ts';
import { UnusableDatabase } from './failures.ts';

/**
 * Makes the file of a new database. Only the owner may read it; SQLite would apply the umask. SQLite gives its log the
 * same permissions.
 */
export function makeFile(path: string): void {
  requireFileOfLog(path);
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

/** The inode of the file at a path; undefined when there is none, null when it cannot be read. */
function findInode(path: string): number | undefined | null {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ino;
  } catch {
    return null;
  }
}

/**
 * Remembers which files an open database has. What is written into a file that was replaced or removed would be lost,
 * and with an index of its own another process would write at the same time.
 * @param saveLog moves the commits in the log into the database
 * @returns a function that throws when another file, or none, is in the place of one of them
 */
export function watchFiles(path: string, saveLog: () => void): () => void {
  const [log, index] = [`${path}-wal`, `${path}-shm`];
  const opened = [path, log, index].map((name) => ({ name, inode: findInode(name) }));
  return () => {
    for (const { name, inode } of opened) {
      const current = findInode(name);
      if (current === inode || current === null) continue;
      // A log that has no name is lost, and one whose database has moved would be applied to the next file. Without the
      // index, another process may be reading the log, which stays for the next start.
      if (name !== index) saveLog();
      throw new UnusableDatabase(`${name} was replaced or removed while it was open.`);
    }
  };
}
