import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './postgres-faults.ts';

/**
 * Blocks the thread of another process at an SQLite statement until it is released.
 * @param folder for the two files by which both sides know of each other
 * @param beginning the first words of the statement
 */
export function holdStatement(folder: string, beginning: string) {
  const name = `${process.pid}-${process.hrtime.bigint()}`;
  const [held, released] = [join(folder, `${name}-held`), join(folder, `${name}-released`)];
  const source = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { DatabaseSync } from 'node:sqlite';
    const { prepare } = DatabaseSync.prototype;
    DatabaseSync.prototype.prepare = function (sql) {
      if (sql.startsWith('${beginning}')) {
        writeFileSync('${held}', '');
        while (!existsSync('${released}')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
      return prepare.call(this, sql);
    };`;
  return {
    /** The environment that the process must be started with. */
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` },
    waitUntilHeld: () => eventually(async () => existsSync(held)).toBe(true),
    release: async () => writeFileSync(released, ''),
  };
}
