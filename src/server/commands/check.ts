import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyFile } from '../database/database-file.ts';
import { countRows, findDamage } from '../database/integrity.ts';
import { checkRemovals } from '../reviews/removals/check.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  createCommand,
  openForReading,
  print,
  runAsProcess,
  secondsSince,
  wrongUsage,
} from './command.ts';
import { checkCounts } from './count-checks/check.ts';
import { createProgress } from './progress.ts';
import { describeRows, prepareBackup, requireBackup } from './verify-copy.ts';

const HELP: CommandHelp = {
  usage: 'npm run check-data -- [FILE]',
  about:
    'Compares counts with reviews and alias keys with aliases, and computes the chain of removals anew. It only reads.',
  parts: { FILE: 'a backup, proved on a copy without restoring it: also one of an older version' },
};

/** Does to a copy of a backup what a restore would do, and reports it. */
async function checkBackup(file: string, database: string | undefined): Promise<void> {
  const backup = resolve(readStartFolder(), file);
  requireBackup(backup, database);
  const start = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'school-reviews-check-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    copyFile(backup, copy);
    const rows = await prepareBackup(copy, backup);
    print(`Proved ${backup} in ${secondsSince(start)}: it can be restored, with ${describeRows(rows)}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const run = createCommand(HELP, async (settings, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (others.length > 0) throw wrongUsage(HELP);
  if (file !== undefined) {
    await checkBackup(file, 'sqlite' in settings.database ? settings.database.sqlite : undefined);
    return;
  }
  const start = performance.now();
  const progress = createProgress();
  await using database = await openForReading(settings);
  const isFile = database.engine === 'sqlite';
  const damage = isFile ? await findDamage(database.read) : [];
  // On PostgreSQL, checking the files takes an extension (amcheck), and foreign keys are always enforced.
  if (isFile) print(damage.length === 0 ? 'The file is sound and its foreign keys hold.' : 'The file is damaged:');
  const report = await checkCounts(database.read, ({ entries }) =>
    progress.show(`Checking counts: ${count(entries, 'entry', 'entries')}`),
  );
  progress.clear();
  const checked = `${count(report.entries, 'entry', 'entries')} with ${describeReviews(await countRows(database.read), report)}`;
  print(`Checked counts, schools and alias keys of ${checked} in ${secondsSince(start)}: ${report.faultCount} wrong.`);
  const removals = await checkRemovals(database.read);
  print(`Computed the chain of ${count(removals.lines, 'removal')} anew: ${removals.faults.length} wrong.`);
  const faults = [...damage, ...report.faults, ...removals.faults];
  for (const fault of faults) print(`- ${fault}`);
  if (faults.length > 0) throw new CommandError('The data is not consistent; restore a backup, or ask for help.');
});

/** "640 reviews, of which 10 are hidden, withdrawn or deleted,": 640 is the number that a backup reports too. */
function describeReviews(rows: { reviews: number }, visible: { reviews: number }): string {
  const others = rows.reviews - visible.reviews;
  const all = count(rows.reviews, 'review');
  return others > 0 ? `${all}, of which ${others} ${others === 1 ? 'is' : 'are'} hidden, withdrawn or deleted,` : all;
}

if (import.meta.main) await runAsProcess(run);
