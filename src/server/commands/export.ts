import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { putInPlace } from '../database/database-file.ts';
import { countRows } from '../database/integrity.ts';
import { CURRENT_SCHEMA, inSnapshot, readSiteLines } from '../database/site-copy.ts';
import { headerOf, sealLines, writeLines } from '../database/site-file.ts';
import { readSecretMark } from '../security/secrets.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  openForReading,
  print,
  runCommand,
  secondsSince,
  sizeOf,
  wrongUsage,
} from './command.ts';
import { createProgress } from './progress.ts';
import { describeRows } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run export -- FILE',
  about: 'Writes everything of the site into one file, for npm run import-site on this or another engine or host.',
  parts: { FILE: 'the file to write; it holds everything about every account, so guard it like a backup' },
};

await runCommand(HELP, async (settings, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || others.length > 0) throw wrongUsage(HELP);
  const target = resolve(readStartFolder(), file);
  if (existsSync(target)) throw new CommandError(`${target} is there already. Name another file.`);
  if ('sqlite' in settings.database && !existsSync(settings.database.sqlite)) {
    throw new CommandError(`There is no database at ${settings.database.sqlite} yet.`);
  }
  const start = performance.now();
  const progress = createProgress();
  const partial = `${target}.partial`;
  const database = await openForReading(settings);
  try {
    await rm(partial, { force: true });
    const rows = await inSnapshot(database, async (db) => {
      const secret = readSecretMark(settings.tokenSecret, settings.dataDir) ?? null;
      const header = headerOf({ schema: CURRENT_SCHEMA, secret, exportedAt: new Date().toISOString() });
      const lines = readSiteLines(db, database.engine, (table, amount) =>
        progress.show(`Exporting ${table}: ${count(amount, 'row')}`),
      );
      await writeLines(partial, sealLines(header, lines));
      return countRows(db);
    });
    putInPlace(partial, target);
    progress.clear();
    print(`Exported in ${secondsSince(start)}: ${target}, ${sizeOf(target)}, ${describeRows(rows)}.`);
    print('TOKEN_SECRET must go along (unless it is set, DATA_DIR/token-secret): it keys sessions and reserved names.');
  } finally {
    progress.clear();
    await rm(partial, { force: true });
    await database.close();
  }
});
