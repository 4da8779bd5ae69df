import type { Connection } from '../database/database.ts';

/** Entries looked at with one statement: a moment's work even where one of them has thousands of reviews. */
const ENTRIES_AT_ONCE = 500;

/** Differences that are named. */
const FAULTS_MAX = 10;

interface CounterCheck {
  entryId: number;
  /** What the entry says, in half-stars. */
  ratingSum: number;
  ratingCount: number;
  /** What its reviews say. */
  sum: number;
  count: number;
  /** Reviews that carry another school than their entry. */
  strays: number;
}

async function findLastEntryId(db: Connection): Promise<number> {
  const row = await db
    .selectFrom('entries')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? 0;
}

/** Counters of the entries above one id, up to another, beside what their reviews add up to, as of one moment. */
function listCounters(db: Connection, above: number, upTo: number): Promise<CounterCheck[]> {
  return db
    .selectFrom('entries')
    .leftJoin('reviews', (join) =>
      join
        .onRef('reviews.entry_id', '=', 'entries.id')
        // Follows from the line before; PostgreSQL reads every review there is unless it is told.
        .on('reviews.entry_id', '>', above)
        .on('reviews.entry_id', '<=', upTo),
    )
    .where('entries.id', '>', above)
    .where('entries.id', '<=', upTo)
    .select((select) => [
      'entries.id as entryId',
      'entries.rating_sum as ratingSum',
      'entries.rating_count as ratingCount',
      select.fn.coalesce(select.fn.sum<number>('reviews.rating'), select.lit(0)).as('sum'),
      select.fn.count<number>('reviews.id').as('count'),
      select.fn
        .count<number>(
          select.case().when('reviews.school_id', '!=', select.ref('entries.school_id')).then('reviews.id').end(),
        )
        .as('strays'),
    ])
    .groupBy('entries.id')
    .orderBy('entries.id')
    .execute();
}

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
