import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyFile, pathBeforeRestore, removeUnfinished, replaceDatabase } from '../database/database-file.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  createCommand,
  print,
  requireOperand,
  runAsProcess,
  secondsSince,
} from './command.ts';
import { describeRows, prepareBackup, requireBackup } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run restore -- FILE',
  about: 'Puts a backup in the place of the embedded database, while no server runs. The database before is kept.',
  parts: { FILE: 'a backup, also one of an older version' },
};

export const run = createCommand(HELP, async ({ database }, args) => {
  const file = requireOperand(HELP, parseArgs({ args, allowPositionals: true }).positionals);
  if ('postgres' in database) {
    throw new CommandError('The database is on PostgreSQL: restore it with pg_restore from what pg_dump made.');
  }
  const backup = resolve(readStartFolder(), file);
  requireBackup(backup, database.sqlite);

  const start = performance.now();
  const copy = `${database.sqlite}.restoring`;
  const kept = pathBeforeRestore(database.sqlite);
  removeUnfinished(copy);
  // Checks and uses a copy, so that the backup can change in the meantime.
  copyFile(backup, copy);
  const rows = await prepareBackup(copy, backup);
  const hadOne = replaceDatabase(database.sqlite, copy, kept);
  print(`Restored ${backup} in ${secondsSince(start)}: ${describeRows(rows)}.`);
  print('Its sessions, passcodes and pending mails are dropped: everybody logs in again.');
  if (hadOne) print(`The database before is kept as ${kept}.`);
});

if (import.meta.main) await runAsProcess(run);
