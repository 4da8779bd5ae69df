import { existsSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Connection } from '../database/database.ts';
import { removeUnfinished, replaceDatabase, requireUnused } from '../database/database-file.ts';
import { countRows, type RowCounts } from '../database/integrity.ts';
import { connectDatabase } from '../database/open.ts';
import { CURRENT_SCHEMA, fillPostgres, fillSqlite, isEmptySite, notEmptyError } from '../database/site-copy.ts';
import { readSite, type SiteHeader } from '../database/site-file.ts';
import { connectSqliteCopy, connectSqliteUnchanging } from '../database/sqlite-connection.ts';
import { checkRemovals } from '../reviews/removals/check.ts';
import { readSecretFingerprint } from '../security/secrets.ts';
import { readStartFolder, type Settings } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  closing,
  count,
  createCommand,
  print,
  requireOperand,
  runAsProcess,
  secondsSince,
} from './command.ts';
import { checkCounts } from './count-checks/check.ts';
import { createProgress } from './progress.ts';
import { describeRows } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run import-site -- FILE',
  about: 'Fills an empty database with an export of a site, wholly or not at all, while no server runs.',
  parts: { FILE: 'what npm run export has written, on either engine' },
};

function requireSameSecret({ secret }: SiteHeader, { tokenSecret, dataDir }: Settings): void {
  if (secret === null || secret === readSecretFingerprint(tokenSecret, dataDir)) return;
  throw new CommandError(
    `TOKEN_SECRET is not that of the exported site, which keys its reserved names: set it, or put its token-secret into ${dataDir}. Nothing was changed.`,
  );
}

async function prove(db: Connection): Promise<void> {
  const [fault] = [...(await checkCounts(db)).faults, ...(await checkRemovals(db)).faults];
  if (fault) throw new CommandError(`The data is not consistent: ${fault}. Nothing was changed.`);
}

type Lines = Awaited<ReturnType<typeof readSite>>['lines'];

async function fillFile(path: string, lines: Lines, filling: Parameters<typeof fillSqlite>[2]): Promise<RowCounts> {
  requireUnused(path);
  if (existsSync(path)) {
    using there = connectSqliteUnchanging(path);
    if (!(await isEmptySite(there))) throw notEmptyError();
  }
  const copy = `${path}.importing`;
  const before = `${path}.before-import`;
  removeUnfinished(before);
  removeUnfinished(copy);
  // Only the owner may read it; SQLite leaves the permissions of an empty file alone.
  writeFileSync(copy, '', { mode: 0o600, flag: 'wx' });
  using connection = connectSqliteCopy(copy);
  await fillSqlite(connection, lines, filling);
  const rows = await countRows(connection.kysely);
  connection.raw.close();
  replaceDatabase(path, copy, before);
  return rows;
}

export const run = createCommand(HELP, async (settings, args) => {
  const file = requireOperand(HELP, parseArgs({ args, allowPositionals: true }).positionals);
  const path = resolve(readStartFolder(), file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new CommandError(`There is no file ${path}.`);
  const start = performance.now();
  const { header, lines } = await readSite(path);
  if (header.schema !== CURRENT_SCHEMA) {
    throw new CommandError(
      `${path} is an export of another version (${header.schema}; this one makes ${CURRENT_SCHEMA}). Import it with that version, then upgrade.`,
    );
  }
  requireSameSecret(header, settings);
  const progress = createProgress();
  const onCopied = (table: string, amount: number) => progress.show(`Importing ${table}: ${count(amount, 'row')}`);
  const filling = { prove, onCopied };
  let rows: RowCounts;
  try {
    if ('sqlite' in settings.database) rows = await fillFile(settings.database.sqlite, lines, filling);
    else {
      await using target = closing(await connectDatabase(settings.database));
      await fillPostgres(target, lines, filling);
      rows = await countRows(target.read);
    }
  } finally {
    progress.clear();
  }
  print(`Imported and verified in ${secondsSince(start)}: ${describeRows(rows)}.`);
});

if (import.meta.main) await runAsProcess(run);
