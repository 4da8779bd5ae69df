import type { EventName, ReviewEvent } from '../../contract/events.ts';
import type { ReasonKey } from '../../contract/reasons.ts';
import type { Connection } from '../database/database.ts';
import { locking } from '../database/lock-row.ts';
import type { Milliseconds } from '../database/tables.ts';
import { appendRemoval } from '../removals/queries.ts';
import { closeItem } from '../reports/queries.ts';
import { allReviews, changeCounts, isVisible } from '../review-counts/queries.ts';

/** What a mail to the author of a review is about; its subject is the review. */
export type ReviewMailPurpose = 'review-hidden' | 'review-restored' | 'appeal-refused';

/** A review with what decides about it. */
export type StoredReview = NonNullable<Awaited<ReturnType<typeof lockReview>>>;

const STORED = [
  'id',
  'entry_id',
  'school_id',
  'user_id',
  'half_stars',
  'relation',
  'hidden_at',
  'withdrawn_at',
] as const;

/**
 * The review as it is until the transaction ends, whatever its state: of two changes at once the second finds what the
 * first one did.
 */
export async function lockReview(db: Connection, id: number) {
  // Its row alone, then its entry's: a decision must not wait for whoever edits the entry.
  const row = await locking(db, allReviews(db).select(STORED).where('id', '=', id), {
    allowsReferences: true,
  }).executeTakeFirst();
  const entry =
    row && (await db.selectFrom('entries').select('kind').where('id', '=', row.entry_id).executeTakeFirst());
  return row && entry && { ...row, kind: entry.kind };
}

/** The same of all reviews of a user, in the order of their ids: two who lock them at once never wait for each other. */
export async function lockReviewsOf(db: Connection, userId: number): Promise<StoredReview[]> {
  const rows = await locking(db, allReviews(db).select(STORED).where('user_id', '=', userId).orderBy('id')).execute();
  const entryIds = allReviews(db).select('entry_id').where('user_id', '=', userId);
  const entries = await db.selectFrom('entries').select(['id', 'kind']).where('id', 'in', entryIds).execute();
  const kinds = new Map(entries.map(({ id, kind }) => [id, kind]));
  return rows.flatMap((row) => {
    const kind = kinds.get(row.entry_id);
    return kind === undefined ? [] : [{ ...row, kind }];
  });
}

/** Records what happened to a review, in the transaction that does it. */
export async function recordEvent(
  db: Connection,
  reviewId: number,
  event: Exclude<EventName, 'posted'>,
  now: Milliseconds,
  reason: ReasonKey | null = null,
): Promise<void> {
  await db.insertInto('review_events').values({ review_id: reviewId, happened_at: now, event, reason }).execute();
}

/** Hides a review that is visible: counts, event, public line and queue change with it. */
export async function hideReview(
  db: Connection,
  review: StoredReview,
  reason: ReasonKey,
  now: Milliseconds,
): Promise<void> {
  await db.updateTable('reviews').set({ hidden_at: now }).where('id', '=', review.id).execute();
  await changeCounts(db, review.entry_id, { before: review });
  await recordEvent(db, review.id, 'hidden', now, reason);
  await appendRemoval(db, lineOf(review, 'hidden', reason), now);
  await closeItem(db, review.id, now);
}

/**
 * Brings a hidden review back. One that its author has withdrawn since is deleted, and may be posted anew; one that gave
 * way in a merge stays withdrawn.
 */
export async function restoreReview(db: Connection, review: StoredReview, now: Milliseconds): Promise<void> {
  await recordEvent(db, review.id, 'restored', now);
  const reason = await findHidingReason(db, review.id);
  await appendRemoval(db, lineOf(review, 'restored', reason), now);
  await closeItem(db, review.id, now);
  if (review.withdrawn_at !== null && !(await hasGivenWay(db, review.id))) {
    await db.deleteFrom('reviews').where('id', '=', review.id).execute();
    return;
  }
  await db.updateTable('reviews').set({ hidden_at: null }).where('id', '=', review.id).execute();
  if (review.withdrawn_at === null) await changeCounts(db, review.entry_id, { after: review });
}

/** Whether a review gave way to a newer one of its author when two schools were merged. */
async function hasGivenWay(db: Connection, reviewId: number): Promise<boolean> {
  const row = await db
    .selectFrom('review_events')
    .select('id')
    .where('review_id', '=', reviewId)
    .where('event', '=', 'merged')
    .executeTakeFirst();
  return row !== undefined;
}

const lineOf = (review: StoredReview, act: 'hidden' | 'restored', reason: ReasonKey) => ({
  reviewId: review.id,
  act,
  reason,
  halfStars: review.half_stars,
  category: review.kind,
});

/**
 * Withdraws a review, locked and not yet withdrawn, for its author. A hidden one stays as a row: its author cannot post
 * another in its place.
 */
export async function withdrawReview(db: Connection, review: StoredReview, now: Milliseconds): Promise<void> {
  if (isVisible(review)) {
    // Locks the entry's counts before deleting. A post holds the same lock while it opens the items of a burst, and
    // must not find this review half deleted.
    await changeCounts(db, review.entry_id, { before: review });
    await db.deleteFrom('reviews').where('id', '=', review.id).execute();
  } else await db.updateTable('reviews').set({ withdrawn_at: now }).where('id', '=', review.id).execute();
}

/** Why a review was hidden the last time. */
export async function findHidingReason(db: Connection, reviewId: number): Promise<ReasonKey> {
  const row = await db
    .selectFrom('review_events')
    .select('reason')
    .where('review_id', '=', reviewId)
    .where('event', '=', 'hidden')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  // Written by hideReview alone, from the contract's list.
  return (row?.reason ?? 'other') as ReasonKey;
}

/** Whether a hidden review has been appealed since it was hidden the last time. */
export async function isAppealed(db: Connection, reviewId: number): Promise<boolean> {
  const last = await db
    .selectFrom('review_events')
    .select('event')
    .where('review_id', '=', reviewId)
    .where('event', 'in', ['hidden', 'appealed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.event === 'appealed';
}

/** What happened to reviews after they were posted, oldest first. */
export async function listEvents(db: Connection, reviewIds: readonly number[]): Promise<Map<number, ReviewEvent[]>> {
  const events = new Map<number, ReviewEvent[]>();
  if (reviewIds.length === 0) return events;
  const rows = await db
    .selectFrom('review_events')
    .select(['review_id', 'happened_at', 'event', 'reason'])
    .where('review_id', 'in', reviewIds)
    .orderBy('review_id')
    .orderBy('id')
    .execute();
  for (const { review_id, happened_at, event, reason } of rows) {
    const line = { at: new Date(happened_at).toISOString(), event, ...(reason !== null && { reason }) };
    // Written by recordEvent alone, from the contract's lists.
    events.set(review_id, [...(events.get(review_id) ?? []), line as ReviewEvent]);
  }
  return events;
}
