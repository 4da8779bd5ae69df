import { starLabel, toStars } from '../../contract/stars.ts';
import type { Connection } from '../database/database.ts';
import { type Comparison, compareCounts, findLastEntryId } from './queries.ts';

/** Entries compared by one statement: it stays quick even if one of them has thousands of reviews. */
const ENTRIES_AT_ONCE = 500;

/** How many differences are listed. */
const FAULTS_MAX = 10;

function faultOf({ entryId, counted, found, strays }: Comparison): string | undefined {
  if (strays > 0) return `entry ${entryId} has ${strays} reviews that name another school than its own`;
  if (!counted) return `entry ${entryId} has no counts of its own school and category`;
  const wrong = found.findIndex((amount, index) => amount !== counted[index]);
  if (wrong < 0) return undefined;
  return `entry ${entryId} counts ${counted[wrong]} reviews of ${starLabel(toStars(wrong + 1))} and has ${found[wrong]}`;
}

interface CountsReport {
  entries: number;
  reviews: number;
  /** How many entries are wrong, and the first of them in words. */
  wrong: number;
  faults: string[];
}

/** Compares the counts of every entry with its reviews, entry by entry as of one moment, while others write. */
export async function checkCounts(
  db: Connection,
  onProgress: (report: CountsReport) => void = () => {},
): Promise<CountsReport> {
  const report: CountsReport = { entries: 0, reviews: 0, wrong: 0, faults: [] };
  const lastId = await findLastEntryId(db);
  for (let above = 0; above < lastId; above += ENTRIES_AT_ONCE) {
    for (const comparison of await compareCounts(db, above, above + ENTRIES_AT_ONCE)) {
      report.entries += 1;
      report.reviews += comparison.found.reduce((total, amount) => total + amount, 0);
      const fault = faultOf(comparison);
      if (fault === undefined) continue;
      report.wrong += 1;
      if (report.faults.length < FAULTS_MAX) report.faults.push(fault);
    }
    onProgress(report);
  }
  return report;
}
