import { starLabel, toStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { findLastId } from '../../documents/queries.ts';
import { findWrongBursts } from '../../visibility/checked-queries.ts';
import { listHalfDeleted } from '../../visibility/deletion-queries.ts';
import {
  type CountComparison,
  compareCounts,
  findWrongAliasKeys,
  findWrongMarks,
  findWrongRelations,
  listMisplacedRows,
  listUnlistedEntries,
} from './queries.ts';

/** How many entries or schools one statement compares. It stays quick even if an entry has thousands of reviews. */
const BATCH_SIZE = 500;

/** The maximum number of differences that are listed. */
const FAULTS_MAX = 10;

function describeFault({ entryId, counted, found, misplaced, isMerged }: CountComparison): string | undefined {
  if (misplaced > 0) return `entry ${entryId} has ${misplaced} reviews that name another school than its own`;
  if (isMerged) {
    const isEmpty = counted === null && found.every((amount) => amount === 0);
    return isEmpty ? undefined : `entry ${entryId} was merged and still has counts or visible reviews`;
  }
  if (!counted) return `entry ${entryId} has no counts of its own school and category`;
  const wrong = found.findIndex((amount, index) => amount !== counted[index]);
  if (wrong < 0) return undefined;
  return `entry ${entryId} counts ${counted[wrong]} reviews of ${starLabel(toStars(wrong + 1))} and has ${found[wrong]}`;
}

interface CountsReport {
  entries: number;
  reviews: number;
  /** How much is wrong: counts of entries, relations and marks, bursts, deletions, alias keys. */
  faultCount: number;
  /** A clause about each of the first faults. */
  faults: string[];
}

/**
 * Finds what else is wrong with a range of entries: counts by relation and of helpful marks, and rows that name the
 * wrong school or none.
 */
async function findFurtherFaults(db: Connection, above: number, upTo: number): Promise<string[]> {
  const relations = await findWrongRelations(db, above, upTo);
  const reviews = await findWrongMarks(db, above, upTo);
  const unlisted = await listUnlistedEntries(db, above, upTo);
  const misplaced = await listMisplacedRows(db, above, upTo);
  return [
    ...relations.map(
      ({ entryId, relation, counted, found }) =>
        `entry ${entryId} counts (${counted}) reviews of the relation ${relation} and has (${found})`,
    ),
    ...unlisted.map(({ id }) => `entry ${id} is not listed at its own school`),
    ...misplaced.map(({ table, id }) => `review ${id} has rows of ${table} that name another school than its own`),
    ...reviews.map(({ id, helpful, marks }) => `review ${id} counts ${helpful} marks and has ${marks}`),
  ];
}

/**
 * Compares derived data with its sources: the counts of every entry with its reviews and marks, and the alias keys of
 * every school with its aliases. Others can write meanwhile, because it reads a range of rows at a time.
 */
export async function checkCounts(
  db: Connection,
  onProgress: (report: CountsReport) => void = () => {},
): Promise<CountsReport> {
  const report: CountsReport = { entries: 0, reviews: 0, faultCount: 0, faults: [] };
  const addFaults = (faults: readonly string[]) => {
    report.faultCount += faults.length;
    report.faults.push(...faults.slice(0, FAULTS_MAX - report.faults.length));
  };
  const lastEntryId = await findLastId(db, 'entries');
  for (let above = 0; above < lastEntryId; above += BATCH_SIZE) {
    const upTo = above + BATCH_SIZE;
    const comparisons = await compareCounts(db, above, upTo);
    addFaults(comparisons.flatMap((one) => describeFault(one) ?? []));
    addFaults(await findFurtherFaults(db, above, upTo));
    report.entries += comparisons.filter(({ isMerged }) => !isMerged).length;
    for (const { found } of comparisons) report.reviews += found.reduce((total, amount) => total + amount, 0);
    onProgress(report);
  }
  const wrongBursts = await findWrongBursts(db, FAULTS_MAX);
  addFaults(wrongBursts.map((id) => `review ${id} is being checked with a burst that it is no part of`));
  const halfDeleted = await listHalfDeleted(db, FAULTS_MAX);
  addFaults(halfDeleted.map(({ kind, id }) => `${kind} ${id} is only partly deleted`));
  const lastSchoolId = await findLastId(db, 'schools');
  for (let above = 0; above < lastSchoolId; above += BATCH_SIZE) {
    const schools = await findWrongAliasKeys(db, above, above + BATCH_SIZE);
    addFaults(
      schools.map(
        ({ id, stored, wanted }) =>
          `school ${id} has the alias keys (${stored.join(', ')}) instead of (${wanted.join(', ')})`,
      ),
    );
  }
  return report;
}
