import { setImmediate } from 'node:timers/promises';
import type { ImportedRow, ImportResult } from '../../../contract/imports.ts';
import type { Commit, Connection } from '../../database/database.ts';
import { changes } from '../../http/cache/tags.ts';
import type { ImportRow } from './import-file.ts';
import { importEntries, planEntries, updateImported } from './queries.ts';
import { createSchoolPlan, importSchools, planSchools } from './school-queries.ts';

/** How many rows one statement reads or writes. */
const BATCH_SIZE = 100;

/** Groups the rows of a file. Yields to the event loop between groups, which SQLite's synchronous queries do not. */
export async function* batchesOf(rows: AsyncIterable<ImportRow>): AsyncGenerator<ImportRow[]> {
  let batch: ImportRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    await setImmediate();
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const schoolsOf = (rows: readonly ImportRow[]) => rows.flatMap((row) => ('school' in row ? [row.school] : []));
const entriesOf = (rows: readonly ImportRow[]) => rows.flatMap((row) => ('entry' in row ? [row.entry] : []));

/** The result of each row, from whether each school is new and from the outcome of each entry, both in row order. */
function resultsOf(
  rows: readonly ImportRow[],
  schools: readonly boolean[],
  entries: Awaited<ReturnType<typeof planEntries>>['outcomes'],
): ImportedRow[] {
  const [ofSchools, ofEntries] = [schools.values(), entries.values()];
  return rows.map((row): ImportedRow => {
    if ('reason' in row) return { row: row.line, result: 'refused', reason: row.reason };
    if ('school' in row) return { row: row.line, result: ofSchools.next().value ? 'add' : 'same' };
    const outcome = ofEntries.next().value ?? 'already there';
    if (typeof outcome === 'object') return { row: row.line, result: 'refused', reason: outcome.reason };
    return { row: row.line, result: outcome === 'added' ? 'add' : 'same' };
  });
}

/** Remembers the rows that an import has planned. */
export const createImportPlan = () => ({ schools: createSchoolPlan(), entries: new Set<string>() });

/** Says what an import of some rows would do. Changes nothing. */
export async function planRows(
  db: Connection,
  rows: readonly ImportRow[],
  plan: ReturnType<typeof createImportPlan>,
): Promise<ImportedRow[]> {
  const schools = await planSchools(db, schoolsOf(rows), plan.schools);
  const { outcomes } = await planEntries(db, entriesOf(rows), { planned: plan.entries });
  return resultsOf(rows, schools, outcomes);
}

/**
 * Adds the rows that do not exist yet.
 * @param isCatalogue whether schools that exist are brought up to date with the file
 * @returns the result of each row, and how many existing schools were changed
 */
export async function writeRows(
  db: Connection,
  rows: readonly ImportRow[],
  commit: Commit,
  isCatalogue = false,
): Promise<{ results: ImportedRow[]; updatedCount: number }> {
  const schools = await importSchools(db, schoolsOf(rows));
  const updatedIds = isCatalogue ? await updateImported(db, schoolsOf(rows)) : [];
  for (const id of updatedIds) commit.invalidate(...changes.schoolChanged(id));
  if (schools.includes(true)) commit.invalidate(...changes.schoolsAdded);
  const { outcomes, schoolIds } = await importEntries(db, entriesOf(rows));
  for (const id of schoolIds) commit.invalidate(...changes.entriesAdded(id));
  return { results: resultsOf(rows, schools, outcomes), updatedCount: updatedIds.length };
}

/** How many rows have each result. */
export function countResults(rows: readonly ImportedRow[]): Omit<ImportResult, 'digest' | 'rows'> {
  const count = (wanted: ImportedRow['result']) => rows.filter(({ result }) => result === wanted).length;
  return { adds: count('add'), same: count('same'), refused: count('refused') };
}
