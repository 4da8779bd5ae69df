import { parseArgs } from 'node:util';
import { hasFormerNames } from '../accounts/mine/queries.ts';
import { countRows } from '../database/integrity.ts';
import { CURRENT_SCHEMA, inSnapshot, readSiteLines } from '../database/site-copy.ts';
import { headerOf, sealLines, writeLines } from '../database/site-file.ts';
import { readSecretFingerprint } from '../security/secrets.ts';
import { type CommandHelp, count, createCommand, print, requireOperand, runAsProcess } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { describeRows } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run export -- FILE',
  about: 'Writes everything of the site into one file, for npm run import-site on this or another engine or host.',
  parts: { FILE: 'the file to write; it holds everything about every account, so guard it like a backup' },
};

export const run = createCommand(HELP, async (settings, args) => {
  const file = requireOperand(HELP, parseArgs({ args, allowPositionals: true }).positionals);
  const { result, written } = await writeNewFile(settings, file, (database, path, progress) =>
    inSnapshot(database, async (db) => {
      const secret = (await hasFormerNames(db))
        ? readSecretFingerprint(settings.tokenSecret, settings.dataDir)
        : undefined;
      const header = headerOf({ schema: CURRENT_SCHEMA, secret: secret ?? null, exportedAt: new Date().toISOString() });
      const lines = readSiteLines(db, (table, amount) => progress.show(`Exporting ${table}: ${count(amount, 'row')}`));
      await writeLines(path, sealLines(header, lines));
      return countRows(db);
    }),
  );
  print(`Exported ${written}, ${describeRows(result)}.`);
  print('TOKEN_SECRET should go along (unless it is set, DATA_DIR/token-secret): it keys sessions and reserved names.');
});

if (import.meta.main) await runAsProcess(run);
