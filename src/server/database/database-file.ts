import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy, isDamaged, UnusableDatabase } from './failures.ts';

/** https://www.sqlite.org/fileformat.html#magic_header_string */
const HEADER = 'SQLite format 3\0';

/** How long another process may be in the middle of something short, such as opening the database. */
const LOCK_TIMEOUT_MS = 1_000;

/** What SQLite keeps beside a database: the write-ahead log with its index, and the journal of other modes. */
const COMPANIONS = ['-wal', '-shm', '-journal'];

export function isSqliteFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(HEADER.length);
    readSync(file, start);
    return start.toString('latin1') === HEADER;
  } finally {
    closeSync(file);
  }
}

/** Whether commits are in the file beside it, as they are while somebody has the database open. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Whether SQLite keeps anything beside it: somebody has the database open, or had it when the machine stopped. */
export function isOpen(path: string): boolean {
  return COMPANIONS.some((suffix) => existsSync(`${path}${suffix}`));
}

export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((name) => statSync(name, { throwIfNoEntry: false }));
  return one !== undefined && two !== undefined && one.ino === two.ino && one.dev === two.dev;
}

export function removeDatabaseFile(path: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${path}${suffix}`, { force: true });
}

/** Copies a database as it is at one moment, without its free pages, while others read and write it. */
export function copyDatabase(from: string, to: string): void {
  // SQLite fills an empty file, and so keeps who may read it.
  writeFileSync(to, '', { mode: 0o600, flag: 'wx' });
  const source = new DatabaseSync(from, { timeout: LOCK_TIMEOUT_MS });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
}

/** Copies a file that nobody writes, cheaply where the file system can share the blocks. */
export function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  fsyncSync(file);
  closeSync(file);
}

/** Gives a finished file its name, atomically and so that it survives a power cut. */
export function putInPlace(file: string, path: string): void {
  sync(file, 'r+');
  renameSync(file, path);
  // Windows knows no files that are folders, and needs no sync of them.
  if (process.platform !== 'win32') sync(dirname(path), 'r');
}

/**
 * Makes sure that no process has the database open, and brings what is in its log into the file.
 * @throws when one has
 */
function requireUnused(path: string): void {
  const raw = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    // Leaving write-ahead logging takes every lock there is: an idle server is found out too.
    raw.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isBusy(error)) throw new UnusableDatabase('The database is in use. Stop the server first, then restore.');
    // Nobody can work with a damaged one, and replacing it is what a backup is for.
    if (!isDamaged(error)) throw error;
  } finally {
    raw.close();
  }
}

/** A second name for the same file where there are such; at no moment is there no database at the path. */
function keepAs(path: string, kept: string): void {
  removeDatabaseFile(kept);
  try {
    linkSync(path, kept);
  } catch {
    copyFile(path, kept);
  }
  for (const suffix of COMPANIONS) {
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${kept}${suffix}`);
  }
}

/**
 * Puts a finished file in the place of the database and keeps the one before under another name.
 * @returns whether there was one before
 * @throws when another process has the database open, which is then left as it was
 */
export function replaceDatabase(path: string, file: string, kept: string): boolean {
  const isThere = existsSync(path);
  if (isThere) {
    requireUnused(path);
    keepAs(path, kept);
  }
  putInPlace(file, path);
  return isThere;
}
