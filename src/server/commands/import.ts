import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ImportRow, readImportFile } from '../data/imports/import-file.ts';
import { addGainedAliases, importEntries } from '../data/imports/queries.ts';
import { CATALOGUE, CATALOGUE_FILE } from '../data/imports/universities.ts';
import { writeInBatches } from '../database/batches.ts';
import type { Commit, Connection } from '../database/database.ts';
import { changes } from '../http/cache/tags.ts';
import { importSchools } from '../schools/queries.ts';
import { readStartFolder } from '../settings/settings.ts';
import {
  CommandError,
  type CommandHelp,
  count,
  oneLine,
  openForCommand,
  print,
  runCommand,
  secondsSince,
  wrongUsage,
} from './command.ts';
import { createProgress } from './progress.ts';

const HELP: CommandHelp = {
  usage: `npm run import -- FILE (.csv or .json), or npm run import -- ${CATALOGUE}`,
  about: 'Adds schools and entries, also while the server runs. What is there already is left as it is.',
  parts: {
    FILE: 'rows of CSV or JSON; docs/operations.md lists their columns',
    [CATALOGUE]: 'the universities of the world, from the catalogue that comes with the product',
  },
};

/** How many rows one statement writes. */
const BATCH = 100;
/** The maximum number of bad rows in the report. A file with more has one mistake, not thousands. */
const LISTED_MAX = 1_000;

type ValidRow = Exclude<ImportRow, { reason: string }>;

/** Groups the valid rows into batches and reports the invalid ones. */
async function* batchesOf(
  rows: AsyncIterable<ImportRow>,
  onBadRow: (number: number, reason: string) => void,
): AsyncGenerator<ValidRow[]> {
  let batch: ValidRow[] = [];
  for await (const row of rows) {
    if ('reason' in row) {
      onBadRow(row.number, row.reason);
      continue;
    }
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Adds the rows that do not exist yet.
 * @param addsAliases whether schools that are there already get the aliases that the file has for them
 * @returns how many were added, how many got aliases, and the rows whose school does not exist
 */
async function writeBatch(db: Connection, rows: readonly ValidRow[], commit: Commit, addsAliases: boolean) {
  const schools = rows.flatMap((row) => ('school' in row ? [row.school] : []));
  const addedSchools = await importSchools(db, schools);
  const renamed = addsAliases ? await addGainedAliases(db, schools) : [];
  for (const id of renamed) commit.invalidate(...changes.schoolChanged(id));
  if (addedSchools > 0) commit.invalidate(...changes.schoolsAdded);
  const ofEntries = rows.flatMap((row) => ('entry' in row ? [row] : []));
  const { outcomes, schoolIds } = await importEntries(
    db,
    ofEntries.map(({ entry }) => entry),
  );
  for (const id of schoolIds) commit.invalidate(...changes.entriesAdded(id));
  const bad = ofEntries.flatMap(({ number }, index) => {
    const outcome = outcomes[index];
    return typeof outcome === 'object' ? [{ number, reason: outcome.reason }] : [];
  });
  const addedEntries = outcomes.filter((outcome) => outcome === 'added').length;
  return {
    rows: rows.length - bad.length,
    added: addedSchools + addedEntries,
    renamed: renamed.length,
    bad,
    share: rows.at(-1)?.share ?? 1,
  };
}

const nothingUsable = (name: string, skipped: number) => `${name} has no usable row: ${count(skipped, 'row')} skipped.`;

await runCommand(HELP, async (settings, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || others.length > 0) throw wrongUsage(HELP);
  const start = performance.now();
  const path = file === CATALOGUE ? CATALOGUE_FILE : resolve(readStartFolder(), file);
  const name = oneLine(basename(path));
  const progress = createProgress();
  let usable = 0;
  let added = 0;
  let renamed = 0;
  let skipped = 0;

  function skip(number: number, reason: string): void {
    skipped += 1;
    if (skipped <= LISTED_MAX) progress.say(`Row ${number} skipped: ${oneLine(reason)}`);
    if (skipped === LISTED_MAX) progress.say('Further bad rows are skipped without a line each.');
  }
  const batches = batchesOf(readImportFile(path), skip);
  // Read before the database is opened, so that an unreadable file creates no database.
  const first = await batches.next();
  if (first.done) throw new CommandError(nothingUsable(name, skipped));
  async function* allBatches() {
    yield first.value;
    yield* batches;
  }

  const database = await openForCommand(settings);
  try {
    const write = (db: Connection, rows: readonly ValidRow[], commit: Commit) =>
      writeBatch(db, rows, commit, file === CATALOGUE);
    await writeInBatches(database, allBatches(), write, (results) => {
      for (const result of results) {
        usable += result.rows;
        added += result.added;
        renamed += result.renamed;
        for (const { number, reason } of result.bad) skip(number, reason);
        progress.show(`Importing ${name}: ${Math.floor(result.share * 100)} %, ${added.toLocaleString('en')} added`);
      }
    });
  } finally {
    progress.clear();
    await database.close();
  }
  if (usable === 0) throw new CommandError(nothingUsable(name, skipped));
  const total = count(usable + skipped, 'row');
  print(
    `Imported ${name} in ${secondsSince(start)}: ${total}, ${added.toLocaleString('en')} added, ` +
      `${(usable - added).toLocaleString('en')} already there, ${skipped.toLocaleString('en')} skipped.` +
      (renamed > 0 ? ` ${count(renamed, 'school')} got the names that the catalogue has gained.` : ''),
  );
});
