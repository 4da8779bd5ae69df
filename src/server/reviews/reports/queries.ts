import type { ItemState, ModerationItem } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { toStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { Page, type PageRequest, readPage, selectPage } from '../../database/paging.ts';
import type { EntryKey, ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { allReviews, reviewsOfDeletedEntries, shownReviews } from '../../visibility/queries.ts';

// The moderation queue: one item per review, open while there is a report, an appeal or a burst to decide about. Items
// that are open only because of a burst stand behind the others: a few accounts can open hundreds of them in seconds.

/**
 * Opens the item of a review for a report or an appeal. One that was open only because of a burst is queued anew, among
 * those of reports.
 */
export async function openItem(db: Connection, { id, school_id }: ReviewKey, now: Milliseconds): Promise<void> {
  await db
    .insertInto('moderation_items')
    .values({ review_id: id, school_id, opened_at: now, decided_at: null })
    .onConflict((conflict) =>
      conflict
        .column('review_id')
        .doUpdateSet((row) => ({
          opened_at: now,
          is_burst_only: 0,
          // If the earlier burst has been decided, a new report is not part of it.
          burst_entry_id: row
            .case()
            .when('moderation_items.opened_at', 'is', null)
            .then(null)
            .else(row.ref('moderation_items.burst_entry_id'))
            .end(),
        }))
        .where((row) =>
          row.or([row('moderation_items.opened_at', 'is', null), row('moderation_items.is_burst_only', '=', 1)]),
        ),
    )
    .execute();
}

/**
 * Opens the items of reviews that are part of a burst. An item that was closed before the burst was detected is opened
 * again.
 */
export async function openBurstItems(
  db: Connection,
  entry: EntryKey,
  reviewIds: readonly number[],
  now: Milliseconds,
): Promise<void> {
  const item = {
    school_id: entry.schoolId,
    opened_at: now,
    decided_at: null,
    burst_entry_id: entry.id,
    is_burst_only: 1,
  };
  await db
    .insertInto('moderation_items')
    .values(reviewIds.map((review_id) => ({ review_id, ...item })))
    .onConflict((conflict) =>
      conflict.column('review_id').doUpdateSet((row) => ({
        opened_at: row.fn.coalesce('moderation_items.opened_at', 'excluded.opened_at'),
        burst_entry_id: row.ref('excluded.burst_entry_id'),
        is_burst_only: row
          .case()
          .when('moderation_items.opened_at', 'is', null)
          .then(row.ref('excluded.is_burst_only'))
          .else(row.ref('moderation_items.is_burst_only'))
          .end(),
      })),
    )
    .execute();
}

/** Closes the item of a review after the decision. If there was no item, it is created as closed. */
export async function closeItem(db: Connection, { id, school_id }: ReviewKey, now: Milliseconds): Promise<void> {
  await db
    .insertInto('moderation_items')
    .values({ review_id: id, school_id, opened_at: null, decided_at: now })
    .onConflict((conflict) => conflict.column('review_id').doUpdateSet({ opened_at: null, decided_at: now }))
    .execute();
  for (const table of ['reports', 'appeals'] as const) {
    await db
      .updateTable(table)
      .set({ decided_at: now })
      .where('review_id', '=', id)
      .where('school_id', '=', school_id)
      .where('decided_at', 'is', null)
      .execute();
  }
}

export const itemOf = (db: Connection, { id, school_id }: ReviewKey) =>
  db.selectFrom('moderation_items').where('review_id', '=', id).where('school_id', '=', school_id);

/** The open item of a review; undefined when there is none. */
export async function findOpen(db: Connection, review: ReviewKey): Promise<{ isAppeal: boolean } | undefined> {
  const item = await itemOf(db, review).select('opened_at').executeTakeFirst();
  if (!item || item.opened_at === null) return undefined;
  const appeal = await db
    .selectFrom('appeals')
    .select('id')
    .where('review_id', '=', review.id)
    .where('school_id', '=', review.school_id)
    .where('decided_at', 'is', null)
    .executeTakeFirst();
  return { isAppeal: appeal !== undefined };
}

/** @returns whether it is this person's first report of the review */
export async function insertReport(
  db: Connection,
  review: ReviewKey,
  { userId, reason, note }: { userId: number; reason: ReasonKey; note: string | null },
  now: Milliseconds,
): Promise<boolean> {
  const row = await db
    .insertInto('reports')
    .values({ review_id: review.id, school_id: review.school_id, user_id: userId, reason, note, created_at: now })
    .onConflict((conflict) => conflict.columns(['review_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertAppeal(
  db: Connection,
  { id, school_id }: ReviewKey,
  body: string,
  now: Milliseconds,
): Promise<void> {
  await db.insertInto('appeals').values({ review_id: id, school_id, body, created_at: now }).execute();
}

/** How many reviews wait for a decision, those of deleted entries left out. */
export async function countOpenItems(db: Connection): Promise<number> {
  const row = await db
    .selectFrom('moderation_items')
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('opened_at', 'is not', null)
    .where('review_id', 'not in', reviewsOfDeletedEntries(db))
    .executeTakeFirstOrThrow();
  return row.open;
}

/** The rows of the queue with the columns that it is sorted by. */
interface SortedRow {
  opened_at: Milliseconds | null;
  decided_at: Milliseconds | null;
  is_burst_only: number;
  reviewId: number;
}

/** The order of open and of closed items, and the values of a row in it. */
const ORDERS = {
  open: {
    by: ['moderation_items.is_burst_only', 'moderation_items.opened_at', 'moderation_items.review_id'],
    direction: 'asc',
    valuesOf: (row: SortedRow): number[] => [row.is_burst_only, row.opened_at ?? 0, row.reviewId],
  },
  closed: {
    by: ['moderation_items.decided_at', 'moderation_items.review_id'],
    direction: 'desc',
    valuesOf: (row: SortedRow): number[] => [row.decided_at ?? 0, row.reviewId],
  },
} as const;

/**
 * The queue: open items, oldest first, those of bursts alone behind the others; closed items, latest decision first.
 * @throws a 400 for a cursor of the other list
 */
export async function listItems(
  db: Connection,
  state: ItemState,
  request: PageRequest,
): Promise<Page<ModerationItem[]>> {
  const { valuesOf, ...order } = ORDERS[state];
  const isOfList = request.before === undefined || request.before.split('-').length === order.by.length;
  if (!isOfList) throw refusals.badInput('The cursor is one of the other list.', 'before');
  const listed = items(db).where('moderation_items.opened_at', state === 'open' ? 'is not' : 'is', null);
  const { rows, next } = await readPage(request, valuesOf, (position) => selectPage(listed, order, position).execute());
  return new Page(await completed(db, rows), next);
}

/** The item of one review; undefined when there never was one. */
export async function findItem(db: Connection, reviewId: number): Promise<ModerationItem | undefined> {
  const rows = await items(db).where('moderation_items.review_id', '=', reviewId).execute();
  const [item] = await completed(db, rows);
  return item;
}

function items(db: Connection) {
  return allReviews(db)
    .innerJoin('moderation_items', (join) =>
      join
        .onRef('moderation_items.review_id', '=', 'reviews.id')
        .onRef('moderation_items.school_id', '=', 'reviews.school_id'),
    )
    .innerJoin('entries', 'entries.id', 'reviews.entry_id')
    .innerJoin('schools', 'schools.id', 'entries.school_id')
    .select([
      'reviews.id as reviewId',
      'reviews.review',
      'reviews.half_stars',
      'reviews.created_at',
      'reviews.hidden_at',
      'moderation_items.opened_at',
      'moderation_items.decided_at',
      'moderation_items.burst_entry_id',
      'moderation_items.is_burst_only',
      'entries.kind',
      'entries.id as entryId',
      'entries.name as entryName',
      'schools.id as schoolId',
      'schools.school_name as schoolName',
    ])
    .where('entries.deleted_at', 'is', null);
}

/** Adds the reports and appeals of items: to open items the undecided ones, to closed items all. */
async function completed(
  db: Connection,
  rows: Awaited<ReturnType<ReturnType<typeof items>['execute']>>,
): Promise<ModerationItem[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ reviewId }) => reviewId);
  const schoolIds = [...new Set(rows.map(({ schoolId }) => schoolId))];
  const reports = await db
    .selectFrom('reports')
    .select(['id', 'review_id', 'reason', 'note', 'created_at', 'decided_at'])
    .where('review_id', 'in', ids)
    .where('school_id', 'in', schoolIds)
    .execute();
  reports.sort((one, other) => one.id - other.id);
  const appeals = await db
    .selectFrom('appeals')
    .select(['review_id', 'body', 'created_at', 'decided_at'])
    .where('review_id', 'in', ids)
    .where('school_id', 'in', schoolIds)
    .orderBy('review_id')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const isShown = (one: { review_id: number; decided_at: Milliseconds | null }) =>
      one.review_id === row.reviewId && (row.opened_at === null || one.decided_at === null);
    const appeal = appeals.findLast(isShown);
    return {
      reviewId: row.reviewId,
      review: row.review,
      rating: toStars(row.half_stars),
      createdAt: instant(row.created_at),
      category: row.kind,
      entryId: row.entryId,
      entryName: row.entryName,
      schoolId: row.schoolId,
      schoolName: row.schoolName,
      isHidden: row.hidden_at !== null,
      isBurst: row.burst_entry_id !== null,
      reports: reports.filter(isShown).map(({ reason, note, created_at }) => ({
        // Safe: only insertReport writes this column, from the contract's list.
        reason: reason as ReasonKey,
        ...(note !== null && { note }),
        createdAt: instant(created_at),
      })),
      ...(appeal && { appeal: { text: appeal.body, createdAt: instant(appeal.created_at) } }),
    };
  });
}

const instant = (time: Milliseconds) => new Date(time).toISOString();

/**
 * Deletes closed items of reviews that are shown again, with their appeals and the notes of their reports. The reports
 * themselves stay: nobody reports a review twice. @returns whether there may be more
 */
export async function deleteOldDecisions(db: Connection, decidedBefore: Milliseconds, most: number): Promise<boolean> {
  const items = await shownReviews(db)
    .innerJoin('moderation_items as item', 'item.review_id', 'reviews.id')
    .select(['item.review_id as id', 'item.school_id'])
    .where('item.opened_at', 'is', null)
    .where('item.decided_at', '<', decidedBefore)
    .orderBy('item.decided_at')
    .limit(most)
    .execute();
  for (const { id, school_id } of items) {
    const ofReview = { review_id: id, school_id };
    await db
      .deleteFrom('appeals')
      .where((row) => row.and(ofReview))
      .execute();
    await db
      .updateTable('reports')
      .set({ note: null })
      .where((row) => row.and(ofReview))
      .execute();
    await db
      .deleteFrom('moderation_items')
      .where((row) => row.and(ofReview))
      .where('opened_at', 'is', null)
      .execute();
  }
  return items.length === most;
}
