import { sql } from 'kysely';
import { BURST_REVIEWS, BURST_WINDOW, NEW_ACCOUNT_DAYS } from '../../../contract/bursts.ts';
import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import { type EntryKey, onSameSchool, type ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { recordOnly } from '../../http/limits/limits.ts';
import { allReviews } from '../../visibility/queries.ts';
import { openBurstItems, selectItem } from '../reports/queries.ts';

// Which reviews belong to a burst is stored with their items in the moderation queue: the reviews are being checked
// while their items are open. Their number is not stored: decisions, edits and withdrawals would have to keep it
// correct.

/**
 * Values of `by_new_account`: whether the author's account was new, and whether the review can make or continue a
 * burst. A review that came with a proposal cannot. Nor can a review by somebody who was part of the burst before.
 */
export const BY_NEW_ACCOUNT = { no: 0, counted: 1, uncounted: 2 } as const;
export type ByNewAccount = (typeof BY_NEW_ACCOUNT)[keyof typeof BY_NEW_ACCOUNT];

/**
 * Records that an account withdrew a review that was part of an entry's burst. Until the account is no longer new,
 * posting there again does not continue that burst: otherwise a few accounts could keep it going in turns.
 */
export const LEFT_BURST = recordOnly({
  name: 'left-burst',
  by: 'account',
  windowMs: NEW_ACCOUNT_DAYS * 24 * 60 * 60_000,
});

interface EntrySince {
  entryId: number;
  schoolId: number;
  since: Milliseconds;
}

/** The latest reviews of an entry by new accounts. A hidden or withdrawn one counts only if it is part of a burst. */
export const composeRecentByNewAccounts = (db: Connection, param: Param<EntrySince>) =>
  allReviews(db)
    .leftJoin('moderation_items as item', onSameSchool('item.review_id', 'reviews.id'))
    .select(['reviews.id', 'item.burst_entry_id as burstEntryId'])
    .where('reviews.entry_id', '=', param('entryId'))
    .where('reviews.school_id', '=', param('schoolId'))
    .where('reviews.by_new_account', '=', sql<number>`1`)
    .where('reviews.created_at', '>=', param('since'))
    .where((row) =>
      row.or([
        row.and([row('reviews.hidden_at', 'is', null), row('reviews.withdrawn_at', 'is', null)]),
        row('item.burst_entry_id', 'is not', null),
      ]),
    )
    .orderBy('reviews.created_at', 'desc')
    .limit(BURST_REVIEWS);

const queryRecentByNewAccounts = prepareQuery(composeRecentByNewAccounts);

/**
 * Records a review by a new account. It may complete a burst, or belong to one that has begun. Called after the review
 * is counted, when the transaction holds the lock on the entry's counts: of several concurrent posts, each sees the
 * earlier ones.
 * @returns whether the review continues a burst that has begun
 */
export async function trackBurst(db: Connection, entry: EntryKey, reviewId: number, now: Milliseconds) {
  const recent = await queryRecentByNewAccounts(db, {
    entryId: entry.id,
    schoolId: entry.schoolId,
    since: now - BURST_WINDOW,
  });
  const continuesBurst = recent.some(({ burstEntryId }) => burstEntryId !== null);
  if (continuesBurst) await openBurstItems(db, entry, [reviewId], now);
  else if (recent.length >= BURST_REVIEWS) await openBurstItems(db, entry, idsOf(recent), now);
  return continuesBurst;
}

/** Whether a review is or was part of a burst. */
export async function isOfBurst(db: Connection, review: ReviewKey): Promise<boolean> {
  const item = await selectItem(db, review).select('burst_entry_id').executeTakeFirst();
  return (item?.burst_entry_id ?? null) !== null;
}
