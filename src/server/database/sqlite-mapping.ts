import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

const MB = 1024 * 1024;
/** As in `mapFile`, whose statement may contain nothing but constants. */
const MAPPED_MAX = 1024 * MB;
/** Pages that are not mapped are read into the connection's cache, which has room for 8 MB. */
const UNMAPPED_MAX = 4 * MB;

/** Makes a connection read the file from its memory, without copying pages. */
export function mapFile(raw: DatabaseSync): void {
  // The same limit again would change nothing. After another one SQLite maps the file as large as it is then.
  raw.exec('PRAGMA mmap_size = 0');
  raw.exec('PRAGMA mmap_size = 1073741824');
}

/** How much of the file can be mapped; 0 while the path cannot be read. */
function readSize(path: string): number {
  try {
    return Math.min(statSync(path).size, MAPPED_MAX);
  } catch {
    return 0;
  }
}

/**
 * SQLite maps the file anew after a commit of another connection or a checkpoint of this one. Where one connection
 * commits and another copies the log, the part by which the file has grown would never be mapped: in a file of 118 MB a
 * read took twice the processor time.
 * @returns a function to be called after the log was copied, between statements
 */
export function createMapping(raw: DatabaseSync, path: string): () => void {
  let mapped = readSize(path);
  return () => {
    const size = readSize(path);
    if (size - mapped <= UNMAPPED_MAX) return;
    mapped = size;
    mapFile(raw);
  };
}
