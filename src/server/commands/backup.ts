import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDatabase, isSameFile, isSqliteFile, putInPlace, unfinishedName } from '../database/database-file.ts';
import { recordBackup } from '../numbers/run-files.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  createCommand,
  fileSize,
  print,
  requireDatabaseFile,
  requireOperand,
  runAsProcess,
  secondsSince,
  tryToRecord,
} from './command.ts';
import { describeRows, verifyCopy } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run backup -- FILE [--force]',
  about: 'Copies the embedded database while the server runs, and checks the copy before it gets its name.',
  parts: { FILE: 'the backup to write', '--force': 'replaces an earlier backup of that name' },
};

/**
 * Checks where a backup is to be written. With --force, as in a nightly job, it may replace an earlier backup, but no
 * other file.
 */
function requireBackupTarget(target: string, database: string, isForced: boolean): void {
  if (!existsSync(dirname(target))) throw new CommandError(`There is no folder ${dirname(target)}.`);
  const there = statSync(target, { throwIfNoEntry: false });
  if (!there) return;
  if (!there.isFile()) throw new CommandError(`${target} is there and is not a file; name a file to write.`);
  if (isSameFile(target, database)) throw new CommandError(`${target} is the database itself; name another file.`);
  if (there.size > 0 && !isSqliteFile(target)) {
    throw new CommandError(`${target} is there and is no backup; it is left as it is. Name another file.`);
  }
  if (!isForced) throw new CommandError(`${target} is there already. Name another file, or replace it with --force.`);
}

export const run = createCommand(HELP, async ({ database, dataDir }, args) => {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { force: { type: 'boolean' } } });
  const file = requireOperand(HELP, positionals);
  if ('postgres' in database) {
    throw new CommandError('The database is on PostgreSQL: back it up with pg_dump, restore it with pg_restore.');
  }
  requireDatabaseFile(database.sqlite);
  const target = resolve(readStartFolder(), file);
  requireBackupTarget(target, database.sqlite, values.force === true);

  const start = performance.now();
  const partial = unfinishedName(target);
  copyDatabase(database.sqlite, partial);
  const rows = await verifyCopy(partial, 'The copy');
  putInPlace(partial, target);
  tryToRecord('The metrics will not have this backup', () => recordBackup(dataDir, target));
  print(`Backed up and verified in ${secondsSince(start)}: ${target}, ${fileSize(target)}, ${describeRows(rows)}.`);
});

if (import.meta.main) await runAsProcess(run);
