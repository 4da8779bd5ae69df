import { HELD_MS } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import type { Connection } from '../../database/database.ts';
import { ofReview, type ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { findItemTimes, type ItemTimes } from '../reports/queries.ts';

// Hides that can still be undone without a trace. Changing one requires a lock on its review.

/** A hide whose event, public line and mail are still to be written. */
export interface HeldHide extends ItemTimes {
  readonly reason: ReasonKey;
  /** The rating of the review when it was hidden. */
  readonly half_stars: number;
  readonly held_at: Milliseconds;
}

/** Stores a held hide, and the state of the review's item. The review is locked, and its item not changed yet. */
export async function holdHide(
  db: Connection,
  review: ReviewKey & { readonly half_stars: number },
  reason: ReasonKey,
  now: Milliseconds,
): Promise<void> {
  const before = await findItemTimes(db, review);
  const { id: review_id, school_id, half_stars } = review;
  await db
    .insertInto('held_hides')
    .values({ review_id, school_id, half_stars, reason, held_at: now, due_at: now + HELD_MS, ...before })
    .execute();
}

/** Deletes the held hide of a locked review. @returns the deleted row; undefined when none is held */
export async function deleteHeldHide(db: Connection, review: ReviewKey): Promise<HeldHide | undefined> {
  const row = await ofReview(db.deleteFrom('held_hides'), review)
    .returning(['reason', 'half_stars', 'held_at', 'opened_at', 'decided_at'])
    .executeTakeFirst();
  // Safe: only holdHide writes this column, from the contract's list.
  return row && { ...row, reason: row.reason as ReasonKey };
}

/** The reason of a review's held hide; undefined when none is held. */
export async function findHeldReason(db: Connection, review: ReviewKey): Promise<ReasonKey | undefined> {
  const row = await ofReview(db.selectFrom('held_hides'), review).select('reason').executeTakeFirst();
  // Safe: only holdHide writes this column.
  return row?.reason as ReasonKey | undefined;
}

/** The id of the review whose held hide has been due longest; undefined when none is due. */
export async function findDueHide(db: Connection, now: Milliseconds): Promise<number | undefined> {
  const row = await db
    .selectFrom('held_hides')
    .select('review_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.review_id;
}

/** When the next held hide is due; undefined when none is held. */
export async function findNextDueTime(db: Connection): Promise<Milliseconds | undefined> {
  const next = await db.selectFrom('held_hides').select('due_at').orderBy('due_at').limit(1).executeTakeFirst();
  return next?.due_at;
}
