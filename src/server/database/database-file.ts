import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, isDamaged, UnusableDatabase } from './failures.ts';

/** https://www.sqlite.org/fileformat.html#magic_header_string */
const FILE_HEADER = 'SQLite format 3\0';

/** Long enough for another process to finish something short, such as opening the database. */
const LOCK_TIMEOUT_MS = 1_000;

/** Files that SQLite puts beside a database: the write-ahead log with its index, and the journal of other modes. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

export function isSqliteFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(FILE_HEADER.length);
    readSync(file, start);
    return start.toString('latin1') === FILE_HEADER;
  } finally {
    closeSync(file);
  }
}

/** Whether the write-ahead log contains anything: commits that a copy of the file alone would lack. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * SQLite would delete a log whose database is missing or empty, and apply it to any file that is put in its place.
 * @throws {UnusableDatabase} when there is such a log
 */
export function requireFileOfLog(path: string): void {
  // The log first: SQLite makes it when there is something in the file.
  if (!hasLog(path) || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
  throw new UnusableDatabase(
    `${path} is missing or empty, but its log is there, which may hold what no backup has: put the file back, or move ${path}-wal away.`,
  );
}

export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
}

function removeDatabaseFile(path: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${path}${suffix}`, { force: true });
}

/**
 * Removes a file that an earlier process has left incomplete. When this process ends, except by SIGKILL, removes its
 * own file if that is still there.
 */
export function removeUnfinished(path: string): void {
  removeDatabaseFile(path);
  process.once('exit', () => removeDatabaseFile(path));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The name of a file until it is complete, different for each process. Removes the files of processes that were killed.
 */
export function unfinishedName(target: string): string {
  const start = `${basename(target)}.partial-`;
  for (const name of readdirSync(dirname(target)).filter((name) => name.startsWith(start))) {
    if (!isRunning(Number.parseInt(name.slice(start.length), 10))) removeDatabaseFile(join(dirname(target), name));
  }
  const partial = `${target}.partial-${process.pid}`;
  removeUnfinished(partial);
  return partial;
}

/** Copies a database as it is at one moment, without its free pages, while other processes read and write it. */
export function copyDatabase(from: string, to: string): void {
  // SQLite writes into an existing empty file and leaves its permissions alone.
  writeFileSync(to, '', { mode: 0o600, flag: 'wx' });
  using source = new DatabaseSync(from, { timeout: LOCK_TIMEOUT_MS });
  source.prepare('VACUUM INTO ?').run(to);
}

/** Copies a file that no process is writing. Costs little where the file system can share blocks. */
export function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

function syncFile(path: string, flags: string): void {
  const file = openSync(path, flags);
  fsyncSync(file);
  closeSync(file);
}

/** Renames a complete file to its final name, atomically and so that it survives a power cut. */
export function putInPlace(file: string, path: string): void {
  syncFile(file, 'r+');
  renameSync(file, path);
  // Windows cannot open a folder as a file, and needs no sync of it.
  if (process.platform !== 'win32') syncFile(dirname(path), 'r');
}

/**
 * Gives a file that root has made for the place of a database to the owner of that database, or of its folder: the
 * server, which runs as another user, could not open it otherwise.
 */
function giveToOwner(file: string, path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
  chownSync(file, uid, gid);
}

/**
 * Moves the commits in the log into the file and removes the log, which works only while no other process has the
 * database open, not even an idle one.
 * @throws {UnusableDatabase} when a process has it open
 */
function removeLog(raw: DatabaseSync): void {
  try {
    // The lock is asked for before anything is read: while a damaged file is open, reading it would fail first.
    // From the first write on, such as removing the log, it is held until the file is closed.
    raw.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isBusy(error))
      throw new UnusableDatabase('The database is in use. Stop the server first. Nothing was changed.');
    throw error;
  }
}

/** Makes sure that no process has a database open, and that no log is at its path. @throws {UnusableDatabase} */
export function requireUnused(path: string): void {
  requireFileOfLog(path);
  if (!existsSync(path)) return;
  using raw = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    removeLog(raw);
  } catch (error) {
    // Replacing a damaged file is the purpose of a restore.
    if (!isDamaged(error)) throw error;
  }
}

/**
 * Gives the database another name too, by a hard link where the file system supports it: at every moment there must be
 * a database at the path.
 */
function linkAs(path: string, previous: string): void {
  removeDatabaseFile(previous);
  try {
    linkSync(path, previous);
  } catch {
    copyFile(path, previous);
  }
  for (const suffix of COMPANIONS) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${previous}${suffix}`);
  }
}

/**
 * Replaces the database by a complete file and keeps the previous one under another name.
 * @returns whether there was a previous one
 * @throws when another process has the database open; then nothing is changed
 */
export function replaceDatabase(path: string, file: string, previous: string): boolean {
  requireUnused(path);
  const isThere = existsSync(path);
  if (isThere) linkAs(path, previous);
  giveToOwner(file, path);
  putInPlace(file, path);
  return isThere;
}

/**
 * Puts a copy without free pages in the place of a database. Nobody can open the database meanwhile. If this process is
 * killed, the database stays as it was.
 * @param verify checks the copy
 * @returns what `verify` returns
 * @throws when another process has the database open; then nothing is changed
 */
export async function compactDatabase<T>(path: string, verify: (copy: string) => Promise<T>): Promise<T> {
  const copy = `${path}.compacting`;
  removeUnfinished(copy);
  using raw = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  removeLog(raw);
  writeFileSync(copy, '', { mode: 0o600, flag: 'wx' });
  raw.prepare('VACUUM INTO ?').run(copy);
  const verified = await verify(copy);
  // Windows does not replace a file that is open.
  if (process.platform === 'win32') raw.close();
  giveToOwner(copy, path);
  putInPlace(copy, path);
  return verified;
}

/** The name under which a restore keeps the database that it replaces. */
export const pathBeforeRestore = (path: string) => `${path}.before-restore`;

/** The files beside a database while a command works on it, and after it was killed. */
const UNFINISHED_SUFFIXES = ['.compacting', '.restoring', '.importing', '.before-import'];

/** Deletes the database that a restore has kept, and the files of killed commands, if they are older than a time. */
export function removeKeptDatabases(path: string, keptBefore: number): void {
  for (const kept of [pathBeforeRestore(path), ...UNFINISHED_SUFFIXES.map((suffix) => `${path}${suffix}`)]) {
    // Renaming set the ctime. The mtime is that of the last write to the database.
    const there = statSync(kept, { throwIfNoEntry: false });
    if (there && there.ctimeMs < keptBefore) removeDatabaseFile(kept);
  }
}
