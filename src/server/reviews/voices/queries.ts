import { type RawBuilder, sql } from 'kysely';
import { CATEGORIES } from '../../../contract/categories.ts';
import { toStars } from '../../../contract/stars.ts';
import { SITE_VOICES_MAX, type Voice } from '../../../contract/voices.ts';
import type { Connection } from '../../database/database.ts';
import { onSameSchool } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { countedEntries } from '../../visibility/count-queries.ts';
import { shownReviews } from '../../visibility/queries.ts';
import { BY_NEW_ACCOUNT } from '../bursts/queries.ts';
import { cursorValuesOf } from '../lists/queries.ts';
import { locatedReviews, selectNewest } from '../queries.ts';
import { backgroundOf } from '../review-rows.ts';
import { quoteOf } from './quote.ts';

// A quote is chosen when it is read, from the ends of the indexes by marks and by time. Nothing about it is stored, so
// that nothing has to be corrected when a review is deleted.

/** How many of the newest reviews are read at once to quote some of them. */
const BATCH_SIZE = 50;

/** The maximum number of queries for one answer, so that nobody can make a page slow with endless words. */
const QUERIES_MAX = 20;

/**
 * Leaves out what is not quoted: reviews of a burst that is being checked, those that two people have reported, and
 * those that one person has reported for attacking a person or as illegal.
 */
const IS_QUOTABLE = sql<boolean>`not exists (
  select 1 from moderation_items as item
  where item.review_id = reviews.id and item.school_id = reviews.school_id and item.opened_at is not null
    and (item.burst_entry_id is not null or 2 <= (
      select coalesce(sum(case when reports.reason in ('personal', 'illegal') then 2 else 1 end), 0) from reports
      where reports.review_id = item.review_id and reports.school_id = item.school_id
        and reports.decided_at is null)))`;

/** Which reviews of an entry are quoted. */
interface QuoteFilter {
  /** From when on a review counts as recent. */
  readonly since: Milliseconds;
  /** Reviews whose first word is longer than a quote may be. */
  readonly unquotableIds: readonly number[];
}

/**
 * The id of the review of an entry to quote: the most helpful among the recent ones, and among equal ones the newest.
 * Without recent reviews, all are considered.
 */
function bestOfEntry(db: Connection, { since, unquotableIds }: QuoteFilter): RawBuilder<number | null> {
  const ofEntry = shownReviews(db)
    .select('reviews.id')
    .where(IS_QUOTABLE)
    .where('reviews.entry_id', '=', sql.ref<number>('review_counts.entry_id'))
    .where('reviews.school_id', '=', sql.ref<number>('review_counts.school_id'))
    .$if(unquotableIds.length > 0, (reviews) => reviews.where('reviews.id', 'not in', unquotableIds))
    .limit(1);
  const newest = ofEntry.orderBy('reviews.created_at', 'desc').orderBy('reviews.id', 'desc');
  // The condition is a literal: a partial index is used only if the query text implies its condition.
  const marked = ofEntry
    .where(sql<boolean>`reviews.helpful > 0`)
    .orderBy('reviews.helpful', 'desc')
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc');
  const recent = (reviews: typeof newest) => reviews.where('reviews.created_at', '>=', since);
  return sql`coalesce(${recent(marked)}, ${recent(newest)}, ${marked}, ${newest})`;
}

/** The reviews to quote, one for each category of a school or for each entry of one category. */
function queryVoices(db: Connection, schoolId: number, kind: string | undefined, filter: QuoteFilter) {
  const chosen = countedEntries(db)
    .select(['review_counts.kind', 'review_counts.school_id', bestOfEntry(db, filter).as('best')])
    .where('review_counts.school_id', '=', schoolId)
    .where('review_counts.kind', 'in', kind === undefined ? CATEGORIES.map((category) => category.kind) : [kind]);
  const isRecent = sql`case when reviews.created_at >= ${filter.since} then 1 else 0 end`;
  const partition = kind === undefined ? sql.ref('chosen.kind') : sql.ref('reviews.id');
  const ranked = shownReviews(db)
    .innerJoin(chosen.as('chosen'), onSameSchool('chosen.best', 'reviews.id'))
    .select([
      'reviews.id as best',
      'reviews.school_id',
      sql<number>`row_number() over (partition by ${partition}
        order by ${isRecent} desc, reviews.helpful desc, reviews.created_at desc, reviews.id desc)`.as('place'),
    ]);
  return locatedReviews(shownReviews(db))
    .innerJoin(ranked.as('ranked'), onSameSchool('ranked.best', 'reviews.id'))
    .where('ranked.place', '=', 1)
    .orderBy('entries.name_key')
    .orderBy('entries.id')
    .execute();
}

type QuotedRow = Awaited<ReturnType<typeof queryVoices>>[number];

/** @returns undefined when there is no quote of the review */
function voiceOf(row: QuotedRow): Voice | undefined {
  const quote = quoteOf(row.review);
  if (quote === undefined) return undefined;
  const { id: reviewId, category, entryId, entryName, schoolId, schoolName } = row;
  return {
    ...{ reviewId, category, entryId, entryName, schoolId, schoolName, quote },
    rating: toStars(row.half_stars),
    ...backgroundOf(row),
    createdAt: new Date(row.created_at).toISOString(),
  };
}

/**
 * The voices of a school: one for each category that has a review to quote; with a kind, one for each such entry of
 * that category. They are sorted by the names of the entries.
 * @param since from when on a review counts as recent
 */
export async function readVoicesAt(
  db: Connection,
  schoolId: number,
  kind: string | undefined,
  since: Milliseconds,
): Promise<Voice[]> {
  const unquotableIds: number[] = [];
  for (let queries = 1; ; queries += 1) {
    const rows = await queryVoices(db, schoolId, kind, { since, unquotableIds });
    const read = rows.map((row) => ({ id: row.id, voice: voiceOf(row) }));
    const unquotable = read.filter(({ voice }) => voice === undefined);
    if (unquotable.length === 0 || queries === QUERIES_MAX) return read.flatMap(({ voice }) => voice ?? []);
    unquotableIds.push(...unquotable.map(({ id }) => id));
  }
}

/** The newest voices of the site, one per school. A review by a new account is quoted only if it has a helpful mark. */
export async function readNewestVoices(db: Connection): Promise<Voice[]> {
  const bySchool = new Map<number, Voice>();
  let after: ReturnType<typeof cursorValuesOf> | undefined;
  for (let queries = 1; queries <= QUERIES_MAX; queries += 1) {
    // The query reads the newest reviews, whether they can be quoted or not. One that leaves some out could scan
    // millions.
    const rows = await selectNewest(db, { limit: BATCH_SIZE, after })
      .select(['reviews.by_new_account', sql<number>`cast(${IS_QUOTABLE} as integer)`.as('isQuotable')])
      .execute();
    for (const row of rows) {
      const isTrusted = row.helpful > 0 || row.by_new_account === BY_NEW_ACCOUNT.no;
      const voice = row.isQuotable === 1 && isTrusted && !bySchool.has(row.schoolId) ? voiceOf(row) : undefined;
      if (voice) bySchool.set(row.schoolId, voice);
      if (bySchool.size === SITE_VOICES_MAX) return [...bySchool.values()];
    }
    const last = rows.at(-1);
    if (rows.length < BATCH_SIZE || !last) break;
    after = cursorValuesOf(last);
  }
  return [...bySchool.values()];
}
