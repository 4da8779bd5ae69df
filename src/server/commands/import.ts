import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changes } from '../cache/tags.ts';
import { writeInBatches } from '../database/batches.ts';
import { type ImportRow, readSchoolFile } from '../schools/import-file.ts';
import { type ImportedSchool, importSchools } from '../schools/queries.ts';
import { readStartFolder } from '../settings.ts';
import { CommandError, count, oneLine, openForCommand, print, runCommand, secondsSince } from './command.ts';
import { createProgress } from './progress.ts';

const USAGE = 'Usage: npm run import -- FILE (.csv or .json)';

/** Schools written with one statement. */
const BATCH = 100;
/** Bad rows reported at most; a file with more has one mistake, not thousands. */
const LISTED_MAX = 1_000;

/** Groups the valid rows into batches and reports the invalid ones. */
async function* batchesOf(
  rows: AsyncIterable<ImportRow>,
  onBadRow: (number: number, reason: string) => void,
): AsyncGenerator<{ schools: ImportedSchool[]; share: number }> {
  let schools: ImportedSchool[] = [];
  for await (const row of rows) {
    if ('reason' in row) {
      onBadRow(row.number, row.reason);
      continue;
    }
    schools.push(row.school);
    if (schools.length < BATCH) continue;
    yield { schools, share: row.share };
    schools = [];
  }
  if (schools.length > 0) yield { schools, share: 1 };
}

await runCommand(async (settings, args) => {
  const [file, ...others] = parseArgs({ args, allowPositionals: true }).positionals;
  if (!file || others.length > 0) throw new CommandError(USAGE);
  const start = performance.now();
  const name = oneLine(basename(file));
  const progress = createProgress();
  let usable = 0;
  let added = 0;
  let skipped = 0;

  const batches = batchesOf(readSchoolFile(resolve(readStartFolder(), file)), (number, reason) => {
    skipped += 1;
    if (skipped <= LISTED_MAX) progress.say(`Row ${number} skipped: ${oneLine(reason)}`);
    if (skipped === LISTED_MAX) progress.say('Further bad rows are skipped without a line each.');
  });
  // The first batch is read before the database is opened, so that an unreadable file creates no database.
  const first = await batches.next();
  if (first.done) throw new CommandError(`${name} has no usable row: ${count(skipped, 'row')} skipped.`);
  async function* allBatches() {
    yield first.value;
    yield* batches;
  }

  const database = await openForCommand(settings);
  try {
    await writeInBatches(
      database,
      allBatches(),
      async (db, { schools, share }, commit) => {
        const addedNow = await importSchools(db, schools);
        if (addedNow > 0) commit.invalidate(...changes.schoolsAdded);
        return { rows: schools.length, added: addedNow, share };
      },
      (results) => {
        for (const result of results) {
          usable += result.rows;
          added += result.added;
          progress.show(`Importing ${name}: ${Math.floor(result.share * 100)} %, ${count(added, 'school')} added`);
        }
      },
    );
  } finally {
    progress.clear();
    await database.close();
  }
  const total = count(usable + skipped, 'row');
  print(
    `Imported ${name} in ${secondsSince(start)}: ${total}, ${added.toLocaleString('en')} added, ` +
      `${(usable - added).toLocaleString('en')} already there, ${skipped.toLocaleString('en')} skipped.`,
  );
});
