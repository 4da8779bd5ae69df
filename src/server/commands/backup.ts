import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDatabase, isSameFile, isSqliteFile, putInPlace, removeDatabaseFile } from '../database/database-file.ts';
import { readStartFolder } from '../settings/settings.ts';
import { CommandError, print, runCommand, secondsSince } from './command.ts';
import { describeRows, verifyCopy } from './verify-copy.ts';

const USAGE = 'Usage: npm run backup -- FILE';

const MB = 1024 * 1024;

/** An earlier backup may be overwritten, as a nightly job does. Any other existing file must be a mistake. */
function requireBackupTarget(target: string, database: string): void {
  if (!existsSync(dirname(target))) throw new CommandError(`There is no folder ${dirname(target)}.`);
  const there = statSync(target, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isFile()) throw new CommandError(`${target} is there and is not a file; name a file to write.`);
  if (isSameFile(target, database)) throw new CommandError(`${target} is the database itself; name another file.`);
  if (there.size > 0 && !isSqliteFile(target)) {
    throw new CommandError(`${target} is there and is no backup; it is left as it is. Name another file.`);
  }
}

await runCommand(async ({ database }, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || others.length > 0) throw new CommandError(USAGE);
  if ('postgres' in database) {
    throw new CommandError('The database is on PostgreSQL: back it up with pg_dump, restore it with pg_restore.');
  }
  if (!existsSync(database.sqlite)) throw new CommandError(`There is no database at ${database.sqlite} yet.`);
  const target = resolve(readStartFolder(), file);
  requireBackupTarget(target, database.sqlite);

  const start = performance.now();
  const partial = `${target}.partial`;
  removeDatabaseFile(partial);
  try {
    copyDatabase(database.sqlite, partial);
    const rows = await verifyCopy(partial, 'The copy');
    putInPlace(partial, target);
    const size = `${Math.ceil(statSync(target).size / MB).toLocaleString('en')} MB`;
    print(`Backed up and verified in ${secondsSince(start)}: ${target}, ${size}, ${describeRows(rows)}.`);
  } finally {
    removeDatabaseFile(partial);
  }
});
