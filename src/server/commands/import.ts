import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CATALOGUE, CATALOGUE_FILE, type ImportRow, readImportFile } from '../data/imports/import-file.ts';
import { batchesOf, writeRows } from '../data/imports/import-rows.ts';
import { writeInBatches } from '../database/batches.ts';
import type { Commit, Connection } from '../database/database.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  createCommand,
  oneLine,
  openForCommand,
  print,
  requireOperand,
  runAsProcess,
  secondsSince,
} from './command.ts';
import { createProgress } from './progress.ts';

const HELP: CommandHelp = {
  usage: `npm run import -- FILE (.csv or .json), or npm run import -- ${CATALOGUE}`,
  about:
    'Adds schools and entries, also while the server runs. What is there already is left as it is. Ends with 2 when rows were refused.',
  parts: {
    FILE: 'rows of CSV or JSON; docs/operations.md lists their columns',
    [CATALOGUE]: 'the universities of the world, from the catalogue that comes with the product',
  },
};

/** The maximum number of bad rows that are listed: a file with more usually has the same mistake in each. */
const LISTED_MAX = 1_000;

/** The exit code when rows were refused, whether or not others were added. */
const SOME_REFUSED = 2;

export const run = createCommand(HELP, async (settings, args) => {
  const file = requireOperand(HELP, parseArgs({ args, allowPositionals: true }).positionals);
  const start = performance.now();
  const path = file === CATALOGUE ? CATALOGUE_FILE : resolve(readStartFolder(), file);
  const name = oneLine(basename(path));
  const progress = createProgress();
  const outcomes = { add: 0, same: 0, refused: 0 };
  let updatedCount = 0;

  function refuse(number: number, reason: string): void {
    outcomes.refused += 1;
    if (outcomes.refused <= LISTED_MAX) progress.say(`Row ${number} skipped: ${oneLine(reason)}`);
    if (outcomes.refused === LISTED_MAX) progress.say('Further bad rows are skipped without a line each.');
  }
  const batches = batchesOf(readImportFile(path));
  // Read before the database is opened, so that an unreadable file creates no database.
  const first = await batches.next();
  async function* allBatches() {
    if (!first.done) yield first.value;
    yield* batches;
  }

  const database = await openForCommand(settings);
  try {
    const write = async (db: Connection, rows: ImportRow[], commit: Commit) => ({
      rows,
      ...(await writeRows(db, rows, commit, file === CATALOGUE)),
    });
    await writeInBatches(database, allBatches(), write, (written) => {
      for (const { rows, results, updatedCount: updated } of written) {
        updatedCount += updated;
        for (const [index, { result, reason = '' }] of results.entries()) {
          if (result === 'refused') refuse(rows[index]?.number ?? 0, reason);
          else outcomes[result] += 1;
        }
        const share = rows.at(-1)?.share ?? 1;
        progress.show(`Importing ${name}: ${Math.floor(share * 100)} %, ${outcomes.add.toLocaleString('en')} added`);
      }
    });
  } finally {
    progress.clear();
    await database.close();
  }
  const { add, same, refused } = outcomes;
  if (add + same === 0) {
    throw new CommandError(`${name} has no usable row: ${count(refused, 'row')} skipped.`, SOME_REFUSED);
  }
  print(
    `Imported ${name} in ${secondsSince(start)}: ${count(add + same + refused, 'row')}, ${add.toLocaleString('en')} added, ` +
      `${same.toLocaleString('en')} already there, ${refused.toLocaleString('en')} skipped.` +
      (updatedCount > 0 ? ` ${count(updatedCount, 'school')} got what the catalogue has gained.` : ''),
  );
  return refused > 0 ? SOME_REFUSED : 0;
});

if (import.meta.main) await runAsProcess(run);
