import { parseArgs } from 'node:util';
import { compactDatabase } from '../database/database-file.ts';
import {
  CommandError,
  type CommandHelp,
  createCommand,
  fileSize,
  print,
  requireDatabaseFile,
  runAsProcess,
  secondsSince,
} from './command.ts';
import { describeRows, verifyCopy } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run compact',
  about: 'Writes the embedded database anew without its free pages, while no server runs. The disk must hold both.',
};

export const run = createCommand(HELP, async ({ database }, args) => {
  parseArgs({ args });
  if ('postgres' in database) throw new CommandError('The database is on PostgreSQL: VACUUM does this there.');
  const path = database.sqlite;
  requireDatabaseFile(path);
  const start = performance.now();
  const before = fileSize(path);
  const rows = await compactDatabase(path, (copy) => verifyCopy(copy, 'The copy'));
  print(
    `Compacted and verified in ${secondsSince(start)}: ${before} before, ${fileSize(path)} now; ${describeRows(rows)}.`,
  );
});

if (import.meta.main) await runAsProcess(run);
