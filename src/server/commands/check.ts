import { existsSync } from 'node:fs';
import { checkCounts } from '../count-checks/check.ts';
import { findDamage } from '../database/integrity.ts';
import { checkRemovals } from '../removals/check.ts';
import { CommandError, count, openForCommand, print, runCommand, secondsSince } from './command.ts';
import { createProgress } from './progress.ts';

await runCommand(async (settings) => {
  if ('sqlite' in settings.database && !existsSync(settings.database.sqlite)) {
    throw new CommandError(`There is no database at ${settings.database.sqlite} yet.`);
  }
  const start = performance.now();
  const progress = createProgress();
  const database = await openForCommand(settings);
  try {
    const isFile = database.engine === 'sqlite';
    const damage = isFile ? await findDamage(database.read) : [];
    // PostgreSQL does both checks itself, at every start and with every row.
    if (isFile) print(damage.length === 0 ? 'The file is sound and its foreign keys hold.' : 'The file is damaged:');
    const report = await checkCounts(database.read, ({ entries }) =>
      progress.show(`Checking counts: ${count(entries, 'entry', 'entries')}`),
    );
    progress.clear();
    const checked = `${count(report.entries, 'entry', 'entries')} with ${count(report.reviews, 'review')}`;
    print(`Checked counts, schools and alias keys of ${checked} in ${secondsSince(start)}: ${report.wrong} wrong.`);
    const removals = await checkRemovals(database.read);
    print(`Computed the chain of ${count(removals.lines, 'removal')} anew: ${removals.faults.length} wrong.`);
    const faults = [...damage, ...report.faults, ...removals.faults];
    for (const fault of faults) print(`- ${fault}`);
    if (faults.length > 0) throw new CommandError('The data is not consistent; restore a backup, or ask for help.');
  } finally {
    await database.close();
  }
});
