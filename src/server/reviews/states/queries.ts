import type { EventName, ReviewEvent } from '../../../contract/events.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { locking } from '../../database/lock-row.ts';
import { type EntryKey, ofReview, type ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { changeCounts } from '../../visibility/count-update-queries.ts';
import { lockBySchool, rememberSchool, withSchoolOf } from '../../visibility/location-queries.ts';
import { allReviews, isVisible } from '../../visibility/queries.ts';
import { deleteHeldHide, findHeldReason, type HeldHide, holdHide } from '../held/queries.ts';
import { appendRemoval } from '../removals/queries.ts';
import { closeItem, decideReports, restoreItem } from '../reports/queries.ts';

/** The purposes of mails to the author of a review. The review is their subject. */
export type ReviewMailPurpose = 'review-hidden' | 'review-restored' | 'appeal-refused';

/** A review with the columns that decisions need. */
export type StoredReview = NonNullable<Awaited<ReturnType<typeof lockReview>>>;

const STORED_COLUMNS = [
  'id',
  'entry_id',
  'school_id',
  'user_id',
  'half_stars',
  'relation',
  'created_at',
  'edited_at',
  'hidden_at',
  'withdrawn_at',
  'superseded_by',
] as const;

/**
 * Locks a review until the transaction ends, whatever its state: of two concurrent changes, the second finds what the
 * first one did. @returns undefined when the review does not exist, or its entry is deleted
 */
export async function lockReview(db: Connection, id: number) {
  const review = await lockStoredReview(db, id);
  return review?.isEntryDeleted ? undefined : review;
}

/**
 * Locks the authors of reviews, to whom mails about the reviews will be queued. Called before any of the reviews is
 * locked: the deletion of a user locks the user before the reviews too, and in another order the two could deadlock.
 */
export async function lockAuthors(db: Connection, reviewIds: readonly number[]): Promise<void> {
  if (reviewIds.length === 0) return;
  const rows = await allReviews(db).select(['id', 'school_id', 'user_id']).where('id', 'in', reviewIds).execute();
  for (const row of rows) rememberSchool('reviews', row.id, row.school_id);
  const authorIds = rows.flatMap((row) => row.user_id ?? []);
  if (authorIds.length === 0) return;
  await locking(db, db.selectFrom('users').select('id').where('id', 'in', authorIds), {
    strength: 'keyShare',
  }).execute();
}

/** The same as `lockReview`, but also when the entry is deleted: the author can still withdraw the review. */
export async function lockStoredReview(db: Connection, id: number) {
  // Only the row of the review is locked. The entry is read afterwards: a decision must not wait for an edit of it.
  const row = await withSchoolOf(db, 'reviews', id, (schoolId) =>
    locking(db, allReviews(db).select(STORED_COLUMNS).where('id', '=', id).where('school_id', '=', schoolId), {
      strength: 'noKeyUpdate',
    }).executeTakeFirst(),
  );
  const entry =
    row &&
    (await db
      .selectFrom('entries')
      .select(['kind', 'deleted_at'])
      .where('id', '=', row.entry_id)
      .where('school_id', '=', row.school_id)
      .executeTakeFirst());
  return row && entry && { ...row, kind: entry.kind, isEntryDeleted: entry.deleted_at !== null };
}

/** Locks all reviews of a user, those of deleted entries too. @returns the reviews, oldest first in each school */
export async function lockReviewsOf(db: Connection, userId: number): Promise<StoredReview[]> {
  const rows = await lockBySchool(allReviews(db).where('user_id', '=', userId), (reviews) =>
    locking(db, reviews.select(STORED_COLUMNS).orderBy('id')).execute(),
  );
  if (rows.length === 0) return [];
  const valuesOf = (column: 'entry_id' | 'school_id') => [...new Set(rows.map((row) => row[column]))];
  const entries = await db
    .selectFrom('entries')
    .select(['id', 'kind', 'deleted_at'])
    .where('id', 'in', valuesOf('entry_id'))
    .where('school_id', 'in', valuesOf('school_id'))
    .execute();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return rows.flatMap((row) => {
    const entry = byId.get(row.entry_id);
    return entry ? [{ ...row, kind: entry.kind, isEntryDeleted: entry.deleted_at !== null }] : [];
  });
}

export const updateStored = (db: Connection, { id, school_id }: ReviewKey) =>
  db.updateTable('reviews').where('id', '=', id).where('school_id', '=', school_id);

const deleteStored = (db: Connection, { id, school_id }: ReviewKey) =>
  db.deleteFrom('reviews').where('id', '=', id).where('school_id', '=', school_id).execute();

/** Records an event of a review, in the transaction that causes it. */
export async function recordEvent(
  db: Connection,
  { id, school_id }: ReviewKey,
  event: Exclude<EventName, 'posted'>,
  now: Milliseconds,
  reason: ReasonKey | null = null,
): Promise<void> {
  await db.insertInto('review_events').values({ review_id: id, school_id, happened_at: now, event, reason }).execute();
}

/**
 * Hides a visible review, and updates counts, events, the public list and the moderation queue.
 * @param options `isHeld`: events and the public list follow with `completeHide`, unless the review is restored before
 */
export async function hideReview(
  db: Connection,
  review: StoredReview,
  reason: ReasonKey,
  now: Milliseconds,
  { isHeld = false } = {},
): Promise<void> {
  await updateStored(db, review).set({ hidden_at: now }).execute();
  await changeCounts(db, entryKeyOf(review), { before: review });
  if (isHeld) await holdHide(db, review, reason, now);
  await closeItem(db, review, now);
  if (!isHeld) await recordHiding(db, review, { reason, half_stars: review.half_stars, held_at: now });
}

type Hiding = Pick<HeldHide, 'reason' | 'half_stars' | 'held_at'>;

/** Makes a hide final: records its event and public line, and marks the review's reports as decided. */
async function recordHiding(db: Connection, review: StoredReview, { reason, half_stars, held_at }: Hiding) {
  await recordEvent(db, review, 'hidden', held_at, reason);
  await appendRemoval(db, { ...review, half_stars }, { act: 'hidden', reason }, held_at);
  await decideReports(db, review, held_at);
}

/**
 * Makes the held hide of a locked review final. It can then no longer be taken back.
 * @returns whether a hide was held: the author of the review is then to be told
 */
export async function completeHide(db: Connection, review: StoredReview): Promise<boolean> {
  const held = await deleteHeldHide(db, review);
  // A process of the previous version knows nothing of held hides, and may have restored the review.
  if (!held || review.hidden_at !== held.held_at) return false;
  await recordHiding(db, review, held);
  return true;
}

/**
 * Restores a hidden review. If its author has withdrawn it meanwhile, it is deleted and a new one can be posted. A
 * review that a merge superseded stays withdrawn. A hide that is still held is undone without a record.
 * @returns whether the author of the review is to be told
 */
export async function restoreReview(db: Connection, review: StoredReview, now: Milliseconds): Promise<boolean> {
  const held = await deleteHeldHide(db, review);
  if (held) await restoreItem(db, review, held);
  else await recordRestoring(db, review, now);
  await showAgain(db, review);
  return held === undefined;
}

/** Closes the open item of a review. The review stays as it is. */
export async function keepReview(db: Connection, review: ReviewKey, now: Milliseconds, { isAppeal = false } = {}) {
  await recordEvent(db, review, isAppeal ? 'appealRefused' : 'kept', now);
  await closeItem(db, review, now);
  await decideReports(db, review, now);
}

async function recordRestoring(db: Connection, review: StoredReview, now: Milliseconds): Promise<void> {
  await recordEvent(db, review, 'restored', now);
  const reason = await findHidingReason(db, review);
  await appendRemoval(db, review, { act: 'restored', reason }, now);
  await closeItem(db, review, now);
  await decideReports(db, review, now);
}

async function showAgain(db: Connection, review: StoredReview): Promise<void> {
  if (review.withdrawn_at !== null && review.superseded_by === null) {
    await deleteStored(db, review);
    return;
  }
  await updateStored(db, review).set({ hidden_at: null }).execute();
  if (review.withdrawn_at === null) await changeCounts(db, entryKeyOf(review), { after: review });
}

/** The key of a review's entry. */
export const entryKeyOf = (review: Pick<StoredReview, 'entry_id' | 'school_id'>): EntryKey => ({
  id: review.entry_id,
  schoolId: review.school_id,
});

/**
 * Withdraws a review for its author. It must be locked and not withdrawn. A hidden review stays in the table, so that
 * its author cannot post another one.
 */
export async function withdrawReview(db: Connection, review: StoredReview, now: Milliseconds): Promise<void> {
  if (isVisible(review)) {
    // The entry's counts are locked before the review is deleted. A post opens the items of a burst under the same
    // lock, and would otherwise open one for a review whose deletion is not committed yet.
    await changeCounts(db, entryKeyOf(review), { before: review });
    await deleteStored(db, review);
  } else await updateStored(db, review).set({ withdrawn_at: now }).execute();
}

/**
 * Deletes all reviews of a user for good, hidden ones and those of deleted entries too. A held hide has its public line
 * first: it stays, like those of earlier hides.
 * @returns the deleted reviews
 */
export async function deleteReviewsOf(db: Connection, userId: number): Promise<StoredReview[]> {
  const reviews = await lockReviewsOf(db, userId);
  for (const review of reviews.filter(isVisible)) await changeCounts(db, entryKeyOf(review), { before: review });
  for (const review of reviews) if (review.hidden_at !== null) await completeHide(db, review);
  await db.deleteFrom('reviews').where('user_id', '=', userId).execute();
  return reviews;
}

/** The reason for which a review was last hidden. */
export async function findHidingReason(db: Connection, review: ReviewKey): Promise<ReasonKey> {
  const held = await findHeldReason(db, review);
  if (held) return held;
  const row = await ofReview(db.selectFrom('review_events'), review)
    .select('reason')
    .where('event', '=', 'hidden')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Safe: only recordHiding writes this column, from the contract's list.
  return (row?.reason ?? 'other') as ReasonKey;
}

/** The events of reviews after they were posted, oldest first. */
export async function listEvents(db: Connection, reviews: readonly ReviewKey[]): Promise<Map<number, ReviewEvent[]>> {
  const events = new Map<number, ReviewEvent[]>();
  if (reviews.length === 0) return events;
  const rows = await db
    .selectFrom('review_events')
    .select(['review_id', 'happened_at', 'event', 'reason'])
    .where('review_id', 'in', idsOf(reviews))
    .where('school_id', 'in', [...new Set(reviews.map((review) => review.school_id))])
    .orderBy('review_id')
    .orderBy('id')
    .execute();
  for (const { review_id, happened_at, event, reason } of rows) {
    const line = { at: new Date(happened_at).toISOString(), event, ...(reason !== null && { reason }) };
    // Safe: only recordEvent writes these columns, from the contract's lists.
    events.set(review_id, [...(events.get(review_id) ?? []), line as ReviewEvent]);
  }
  // Sorted, because the event of a hide that was held is written later than it happened.
  for (const list of events.values()) list.sort((one, other) => one.at.localeCompare(other.at));
  return events;
}
