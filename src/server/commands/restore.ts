import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  copyFile,
  hasLog,
  isSameFile,
  isSqliteFile,
  keptBefore,
  removeDatabaseFile,
  replaceDatabase,
} from '../database/database-file.ts';
import { readStartFolder } from '../settings/settings.ts';
import { CommandError, type CommandHelp, print, runCommand, secondsSince, wrongUsage } from './command.ts';
import { describeRows, prepareBackup } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run restore -- FILE',
  about: 'Puts a backup in the place of the embedded database, while no server runs. The database before is kept.',
  parts: { FILE: 'a backup, also one of an older version' },
};

function requireBackup(path: string, database: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new CommandError(`There is no file ${path}.`);
  if (!there.isFile()) throw new CommandError(`${path} is not a file.`);
  if (isSameFile(path, database)) throw new CommandError(`${path} is the database itself; name a backup.`);
  if (!isSqliteFile(path)) throw new CommandError(`${path} is no backup: it is not an SQLite database.`);
  // A copy without the log would lack the newest commits.
  if (hasLog(path))
    throw new CommandError(`${path} is open or was not closed (${path}-wal is beside it); use a backup.`);
}

await runCommand(HELP, async ({ database }, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || others.length > 0) throw wrongUsage(HELP);
  if ('postgres' in database) {
    throw new CommandError('The database is on PostgreSQL: restore it with pg_restore from what pg_dump made.');
  }
  const backup = resolve(readStartFolder(), file);
  requireBackup(backup, database.sqlite);

  const start = performance.now();
  const copy = `${database.sqlite}.restoring`;
  const kept = keptBefore(database.sqlite);
  removeDatabaseFile(copy);
  try {
    // Checks and uses a copy, so that the backup can change in the meantime.
    copyFile(backup, copy);
    const rows = await prepareBackup(copy, backup);
    const hadOne = replaceDatabase(database.sqlite, copy, kept);
    print(`Restored ${backup} in ${secondsSince(start)}: ${describeRows(rows)}.`);
    print('Its sessions, passcodes and pending mails are dropped: everybody logs in again.');
    if (hadOne) print(`The database before is kept as ${kept}.`);
  } finally {
    removeDatabaseFile(copy);
  }
});
