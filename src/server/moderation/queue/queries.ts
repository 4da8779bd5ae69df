import type { ItemState, ModerationItem } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { toStars } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { writeInstant } from '../../database/instants.ts';
import { Page, type PageRequest, readPage, selectPage } from '../../database/paging.ts';
import { type EntryKey, onSameSchool, type ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { isEditedSince } from '../../reviews/reports/queries.ts';
import { allReviews, reviewsOfDeletedEntries } from '../../visibility/queries.ts';

/** The items that wait for a decision, those of deleted entries left out. */
export function openItems(db: Connection) {
  const open = db.selectFrom('moderation_items').where('moderation_items.opened_at', 'is not', null);
  return open.where('moderation_items.review_id', 'not in', reviewsOfDeletedEntries(db));
}

/** The columns that the queue is sorted by. */
type SortedRow = Pick<ItemRow, 'opened_at' | 'decided_at' | 'is_burst_only' | 'reviewId'>;

/** The order of open and of closed items, and the values of a row in it. */
const ORDERS = {
  open: {
    by: ['moderation_items.is_burst_only', 'moderation_items.opened_at', 'moderation_items.review_id'],
    direction: 'asc',
    cursorValuesOf: (row: SortedRow): number[] => [row.is_burst_only, row.opened_at ?? 0, row.reviewId],
  },
  closed: {
    by: ['moderation_items.decided_at', 'moderation_items.review_id'],
    direction: 'desc',
    cursorValuesOf: (row: SortedRow): number[] => [row.decided_at ?? 0, row.reviewId],
  },
} as const;

/**
 * The queue: open items, oldest first, those that are open only because of a burst after the others; closed items,
 * latest decision first.
 * @throws a 400 for a cursor of the other list
 */
export async function listItems(
  db: Connection,
  state: ItemState,
  request: PageRequest,
): Promise<Page<ModerationItem[]>> {
  const { cursorValuesOf, ...order } = ORDERS[state];
  const isOfThisList = request.before === undefined || request.before.split('-').length === order.by.length;
  if (!isOfThisList) throw refusals.badInput('The cursor is one of the other list.', 'before');
  const listed = selectItems(db).where('moderation_items.opened_at', state === 'open' ? 'is not' : 'is', null);
  const { rows, next } = await readPage(request, cursorValuesOf, (position) =>
    selectPage(listed, order, position).execute(),
  );
  return new Page(await withDetails(db, rows), next);
}

/** The item of one review; undefined when there is none, or when the entry is deleted. */
export async function findItem(db: Connection, { id, school_id }: ReviewKey): Promise<ModerationItem | undefined> {
  const rows = await selectItems(db).where('reviews.id', '=', id).where('reviews.school_id', '=', school_id).execute();
  const [item] = await withDetails(db, rows);
  return item;
}

function selectItems(db: Connection) {
  return allReviews(db)
    .innerJoin('moderation_items', onSameSchool('moderation_items.review_id', 'reviews.id'))
    .innerJoin('entries', (join) =>
      join.onRef('entries.id', '=', 'reviews.entry_id').onRef('entries.school_id', '=', 'moderation_items.school_id'),
    )
    .innerJoin('schools', 'schools.id', 'entries.school_id')
    .select([
      'reviews.id as reviewId',
      'reviews.review',
      'reviews.half_stars',
      'reviews.created_at',
      'reviews.edited_at as changed_at',
      'reviews.hidden_at',
      'moderation_items.opened_at',
      'moderation_items.decided_at',
      'moderation_items.burst_entry_id',
      'moderation_items.is_burst_only',
      'moderation_items.edited_at',
      'moderation_items.decided_text',
      'entries.kind',
      'entries.id as entryId',
      'entries.name as entryName',
      'schools.id as schoolId',
      'schools.school_name as schoolName',
    ])
    .where('entries.deleted_at', 'is', null);
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

/** The reports, appeals and reasons of items, from other tables. */
interface ItemDetails {
  reports: Awaited<ReturnType<typeof listReports>>;
  appeals: Awaited<ReturnType<typeof listAppeals>>;
  /** By the id of the review. */
  hidingReasons: Map<number, ReasonKey>;
}

/** The ids of items and of their schools. */
interface ItemIds {
  readonly reviewIds: readonly number[];
  readonly schoolIds: readonly number[];
}

async function withDetails(db: Connection, rows: readonly ItemRow[]): Promise<ModerationItem[]> {
  if (rows.length === 0) return [];
  const reviewIds = rows.map(({ reviewId }) => reviewId);
  const ids = { reviewIds, schoolIds: [...new Set(rows.map(({ schoolId }) => schoolId))] };
  const hiddenIds = rows.flatMap(({ reviewId, hidden_at }) => (hidden_at === null ? [] : reviewId));
  const details = {
    reports: await listReports(db, ids),
    appeals: await listAppeals(db, ids),
    hidingReasons: await listHidingReasons(db, { ...ids, reviewIds: hiddenIds }),
  };
  return rows.map((row) => itemOf(row, details));
}

async function listReports(db: Connection, { reviewIds, schoolIds }: ItemIds) {
  const reports = await db
    .selectFrom('reports')
    .select(['id', 'review_id', 'reason', 'note', 'created_at', 'decided_at'])
    .where('review_id', 'in', reviewIds)
    .where('school_id', 'in', schoolIds)
    .execute();
  return reports.sort((one, other) => one.id - other.id);
}

const listAppeals = (db: Connection, { reviewIds, schoolIds }: ItemIds) =>
  db
    .selectFrom('appeals')
    .select(['review_id', 'body', 'created_at', 'decided_at'])
    .where('review_id', 'in', reviewIds)
    .where('school_id', 'in', schoolIds)
    .orderBy('review_id')
    .orderBy('id')
    .execute();

/** The reason for which each review was last hidden, also where the hide is still held. */
async function listHidingReasons(db: Connection, { reviewIds, schoolIds }: ItemIds): Promise<Map<number, ReasonKey>> {
  if (reviewIds.length === 0) return new Map();
  const events = await db
    .selectFrom('review_events')
    .select(['review_id', 'reason'])
    .where('review_id', 'in', reviewIds)
    .where('school_id', 'in', schoolIds)
    .where('event', '=', 'hidden')
    .orderBy('review_id')
    .orderBy('id')
    .execute();
  const held = await db
    .selectFrom('held_hides')
    .select(['review_id', 'reason'])
    .where('review_id', 'in', reviewIds)
    .where('school_id', 'in', schoolIds)
    .execute();
  // Safe: both columns are written for hideReview alone, from the contract's list.
  return new Map([...events, ...held].map(({ review_id, reason }) => [review_id, reason as ReasonKey]));
}

function itemOf(row: ItemRow, { reports, appeals, hidingReasons }: ItemDetails): ModerationItem {
  const isOfItem = (one: { review_id: number }) => one.review_id === row.reviewId;
  // An open item shows what is still to be decided, a closed one everything.
  const isShown = (one: { decided_at: Milliseconds | null }) => row.opened_at === null || one.decided_at === null;
  const reportsOfItem = reports.filter(isOfItem);
  const appeal = appeals.filter(isOfItem).findLast(isShown);
  const hiddenReason = hidingReasons.get(row.reviewId);
  const isEdited = isEditedSince(row);
  return {
    reviewId: row.reviewId,
    review: row.review,
    rating: toStars(row.half_stars),
    createdAt: writeInstant(row.created_at),
    changedAt: writeInstant(row.changed_at ?? row.created_at),
    ...(row.opened_at !== null && { openedAt: writeInstant(row.opened_at) }),
    category: row.kind,
    entryId: row.entryId,
    entryName: row.entryName,
    schoolId: row.schoolId,
    schoolName: row.schoolName,
    isHidden: row.hidden_at !== null,
    ...(hiddenReason && { hiddenReason }),
    isEdited,
    ...(isEdited && row.decided_text !== null && row.decided_text !== row.review && { decidedText: row.decided_text }),
    isBurst: row.burst_entry_id !== null,
    ...(row.burst_entry_id !== null && { burstEntryId: row.burst_entry_id }),
    reports: reportsOfItem.filter(isShown).map(reportOf),
    earlier: reportsOfItem.filter((report) => !isShown(report)).map(reportOf),
    ...(appeal && { appeal: { text: appeal.body, createdAt: writeInstant(appeal.created_at) } }),
  };
}

const reportOf = ({ reason, note, created_at }: ItemDetails['reports'][number]) => ({
  // Safe: only insertReport writes this column, from the contract's list.
  reason: reason as ReasonKey,
  ...(note !== null && { note }),
  createdAt: writeInstant(created_at),
});

/** The ids of a burst's reviews that wait for a decision, up to and including `upTo`, in ascending order. */
export async function listBurst(db: Connection, entry: EntryKey, upTo: number): Promise<number[]> {
  const rows = await db
    .selectFrom('moderation_items')
    .select('review_id')
    .where('burst_entry_id', '=', entry.id)
    .where('school_id', '=', entry.schoolId)
    .where('opened_at', 'is not', null)
    .where('review_id', '<=', upTo)
    .orderBy('review_id')
    .execute();
  return rows.map(({ review_id }) => review_id);
}
