import type { Connection } from '../database/database.ts';
import { type CounterCheck, findLastEntryId, listCounters } from './queries.ts';

/** Entries looked at with one statement: a moment's work even where one of them has thousands of reviews. */
const ENTRIES_AT_ONCE = 500;

/** Differences that are named. */
const FAULTS_MAX = 10;

function faultOf({ entryId, ratingSum, ratingCount, sum, count, strays }: CounterCheck): string | undefined {
  if (strays > 0) return `entry ${entryId} has ${strays} reviews that name another school than its own`;
  if (ratingSum === sum && ratingCount === count) return undefined;
  return `entry ${entryId} counts ${ratingCount} reviews and ${ratingSum} half-stars, its reviews are ${count} and ${sum}`;
}

export interface CounterReport {
  entries: number;
  reviews: number;
  /** How many entries are wrong, and the first of them in words. */
  wrong: number;
  faults: string[];
}

/** Compares the counters of every entry with its reviews, entry by entry as of one moment, while others write. */
export async function checkCounters(
  db: Connection,
  onProgress: (report: CounterReport) => void = () => {},
): Promise<CounterReport> {
  const report: CounterReport = { entries: 0, reviews: 0, wrong: 0, faults: [] };
  const lastId = await findLastEntryId(db);
  for (let above = 0; above < lastId; above += ENTRIES_AT_ONCE) {
    for (const check of await listCounters(db, above, above + ENTRIES_AT_ONCE)) {
      report.entries += 1;
      report.reviews += check.count;
      const fault = faultOf(check);
      if (fault === undefined) continue;
      report.wrong += 1;
      if (report.faults.length < FAULTS_MAX) report.faults.push(fault);
    }
    onProgress(report);
  }
  return report;
}
