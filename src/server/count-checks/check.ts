import { starLabel, toStars } from '../../contract/stars.ts';
import { findStrayBursts } from '../bursts/queries.ts';
import type { Connection } from '../database/database.ts';
import { listStrayDeletions } from '../deletions/queries.ts';
import { type CountComparison, compareCounts, findLastEntryId, findWrongMarks, findWrongRelations } from './queries.ts';

/** How many entries one statement compares: it stays quick even if one of them has thousands of reviews. */
const ENTRIES_AT_ONCE = 500;

/** The maximum number of differences that are listed. */
const FAULTS_MAX = 10;

function faultOf({ entryId, counted, found, strays, isMerged }: CountComparison): string | undefined {
  if (strays > 0) return `entry ${entryId} has ${strays} reviews that name another school than its own`;
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
  /** The number of wrong counts (of entries, relations, marks, bursts, deletions). `faults` describes the first ones. */
  wrong: number;
  faults: string[];
}

/** Finds the other wrong counts of a range of entries: by relation, and of helpful marks. */
async function findFurtherFaults(db: Connection, above: number, upTo: number): Promise<string[]> {
  const relations = await findWrongRelations(db, above, upTo);
  const reviews = await findWrongMarks(db, above, upTo);
  return [
    ...relations.map(
      ({ entryId, relation, counted, found }) =>
        `entry ${entryId} counts (${counted}) reviews of the relation ${relation} and has (${found})`,
    ),
    ...reviews.map(({ id, helpful, marks }) => `review ${id} counts ${helpful} marks and has ${marks}`),
  ];
}

/** Compares the counts of every entry with its reviews and marks, a range of entries at a time, while others write. */
export async function checkCounts(
  db: Connection,
  onProgress: (report: CountsReport) => void = () => {},
): Promise<CountsReport> {
  const report: CountsReport = { entries: 0, reviews: 0, wrong: 0, faults: [] };
  const lastId = await findLastEntryId(db);
  for (let above = 0; above < lastId; above += ENTRIES_AT_ONCE) {
    const upTo = above + ENTRIES_AT_ONCE;
    const comparisons = await compareCounts(db, above, upTo);
    const faults = [...comparisons.flatMap((one) => faultOf(one) ?? []), ...(await findFurtherFaults(db, above, upTo))];
    report.entries += comparisons.filter(({ isMerged }) => !isMerged).length;
    for (const { found } of comparisons) report.reviews += found.reduce((total, amount) => total + amount, 0);
    report.wrong += faults.length;
    report.faults.push(...faults.slice(0, FAULTS_MAX - report.faults.length));
    onProgress(report);
  }
  const strays = await findStrayBursts(db, FAULTS_MAX);
  report.wrong += strays.length;
  report.faults.push(...strays.map((id) => `review ${id} is being checked with a burst that it is no part of`));
  const halfDeleted = await listStrayDeletions(db, FAULTS_MAX);
  report.wrong += halfDeleted.length;
  report.faults.push(...halfDeleted.map(({ kind, id }) => `${kind} ${id} is only partly deleted`));
  return { ...report, faults: report.faults.slice(0, FAULTS_MAX) };
}
