import type { ReasonKey } from '../../../contract/reasons.ts';
import { type Connection, isPostgres } from '../../database/database.ts';
import { hasRow } from '../../database/found-rows.ts';
import { type EntryKey, ofReview, type ReviewKey } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { recordOnly } from '../../http/limits/limits.ts';
import type { Throttles } from '../../http/limits/throttle.ts';
import { noteAct } from '../../numbers/queries.ts';
import { allReviews, shownReviews, withItems } from '../../visibility/queries.ts';

// The moderation queue: one item per review, open while something about it is to be decided. Items that are open
// only because of a burst come after the others: a few accounts can open hundreds of them in seconds.

/** The conflict target of an upsert of items. In SQLite it has no school: the id of the review is the item's rowid. */
const conflictTarget = (db: Connection) =>
  isPostgres(db) ? (['review_id', 'school_id'] as const) : (['review_id'] as const);

/**
 * Opens the item of a review, for anything but a burst. An item that was open only because of a burst is queued anew,
 * among those with reports.
 */
export async function openItem(db: Connection, { id, school_id }: ReviewKey, now: Milliseconds): Promise<void> {
  await db
    .insertInto('moderation_items')
    .values({ review_id: id, school_id, opened_at: now, decided_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(conflictTarget(db))
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
export async function openBurstItems(db: Connection, entry: EntryKey, reviewIds: readonly number[], now: Milliseconds) {
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
      conflict.columns(conflictTarget(db)).doUpdateSet((row) => ({
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

/**
 * Closes the item of a review after the decision. If there was no item, it is created as closed. `decideReports` marks
 * its reports and appeals as decided.
 */
export async function closeItem(db: Connection, { id, school_id }: ReviewKey, now: Milliseconds): Promise<void> {
  await db
    .insertInto('moderation_items')
    .values({ review_id: id, school_id, opened_at: null, decided_at: now })
    .onConflict((conflict) => conflict.columns(conflictTarget(db)).doUpdateSet({ opened_at: null, decided_at: now }))
    .execute();
}

/**
 * Marks the open reports and appeals of a review as decided, and forgets the text that an earlier decision was about.
 */
export async function decideReports(db: Connection, review: ReviewKey, decidedAt: Milliseconds): Promise<void> {
  for (const table of ['reports', 'appeals'] as const) {
    await ofReview(db.updateTable(table), review)
      .set({ decided_at: decidedAt })
      .where('decided_at', 'is', null)
      .execute();
  }
  await updateItem(db, review)
    .set({ edited_at: null, decided_text: null })
    .where('edited_at', '<=', decidedAt)
    .execute();
}

const updateItem = (db: Connection, review: ReviewKey) => ofReview(db.updateTable('moderation_items'), review);

/** The state of an item that a decision changes. Both are null when there was no item. */
export interface ItemTimes {
  readonly opened_at: Milliseconds | null;
  readonly decided_at: Milliseconds | null;
}

/** The state of the item of a review before a decision about it. */
export async function findItemTimes(db: Connection, review: ReviewKey): Promise<ItemTimes> {
  const item = await selectItem(db, review).select(['opened_at', 'decided_at']).executeTakeFirst();
  return item ?? { opened_at: null, decided_at: null };
}

/** Undoes `closeItem`. */
export async function restoreItem(db: Connection, review: ReviewKey, { opened_at, decided_at }: ItemTimes) {
  if (opened_at !== null || decided_at !== null) {
    await updateItem(db, review).set({ opened_at, decided_at }).execute();
  } else await ofReview(db.deleteFrom('moderation_items'), review).execute();
}

const LEFT_REPORTED = recordOnly({ name: 'left-reported', by: 'account', windowMs: 30 * 24 * 60 * 60_000 });

/**
 * The throttles that record the withdrawal of a review that waited for a decision. The author's next review there waits
 * instead: otherwise posting the same text again would rid it of its reports. Both ids are hashed together, because
 * every post needs it.
 */
export const reportedReviewWithdrawals = (throttles: Throttles, entryId: number, userId: number) =>
  throttles.on(LEFT_REPORTED, `${entryId} ${userId}`);

/**
 * Whether a review waits for a decision, and not only because it is part of a burst. One that is hidden for now still
 * does: the admin may undo that.
 */
export async function waitsForDecision(db: Connection, review: ReviewKey): Promise<boolean> {
  const item = selectItem(db, review).where('is_burst_only', '=', 0);
  const held = ofReview(db.selectFrom('held_hides'), review);
  return (
    (await hasRow(item.select('review_id').where('opened_at', 'is not', null))) ||
    (await hasRow(held.select('review_id').where('opened_at', 'is not', null)))
  );
}

/** The shortest time between two edits that open an item again, so that an author cannot keep the admins busy. */
const EDIT_OPENS_EVERY_MS = 24 * 60 * 60_000;

/** A review that is being edited. */
interface EditedReview extends ReviewKey {
  readonly textBefore: string;
  readonly isTextChanged: boolean;
  readonly isVisible: boolean;
}

/**
 * Records an edit of a review after a decision, with the text that was decided about. If the review is visible, its
 * item is opened again, at most once a day.
 */
export async function recordEdit(db: Connection, review: EditedReview, now: Milliseconds): Promise<void> {
  const item = await selectItem(db, review)
    .select(['opened_at', 'decided_at', 'edited_at', 'decided_text', 'edit_opened_at'])
    .executeTakeFirst();
  if (!item || item.decided_at === null) return;
  const earlierText = isEditedSince(item) ? item.decided_text : null;
  const decidedText = earlierText ?? (review.isTextChanged ? review.textBefore : null);
  const opens =
    review.isVisible &&
    item.opened_at === null &&
    (item.edit_opened_at === null || item.edit_opened_at <= now - EDIT_OPENS_EVERY_MS);
  if (opens) await openItem(db, review, now);
  await updateItem(db, review)
    // An edit in the millisecond of the decision counts as after it.
    .set({
      edited_at: Math.max(now, item.decided_at + 1),
      decided_text: decidedText,
      ...(opens && { edit_opened_at: now }),
    })
    .execute();
}

/** Whether text or stars were changed after the last decision. */
export const isEditedSince = (item: { edited_at: Milliseconds | null; decided_at: Milliseconds | null }) =>
  item.edited_at !== null && item.edited_at > (item.decided_at ?? 0);

export const selectItem = (db: Connection, review: ReviewKey) => ofReview(db.selectFrom('moderation_items'), review);

/** Whether the open item of a review has an appeal; undefined when no item is open. */
export async function findOpenItem(db: Connection, review: ReviewKey): Promise<{ isAppeal: boolean } | undefined> {
  const item = await selectItem(db, review).select('opened_at').executeTakeFirst();
  if (!item || item.opened_at === null) return undefined;
  const appeals = ofReview(db.selectFrom('appeals'), review).select('id').where('decided_at', 'is', null);
  return { isAppeal: await hasRow(appeals) };
}

/**
 * Lets a person report a review again if its text has changed since the decision. The earlier report stays, without its
 * author and its note: without the author, the note could not be found when the account is deleted.
 */
export async function allowNewReport(db: Connection, review: ReviewKey, userId: number): Promise<void> {
  const item = await withItems(allReviews(db))
    .select(['reviews.review', 'item.edited_at', 'item.decided_at', 'item.decided_text'])
    .where('reviews.id', '=', review.id)
    .where('reviews.school_id', '=', review.school_id)
    .executeTakeFirst();
  if (!item || !isEditedSince(item) || item.decided_text === null || item.decided_text === item.review) return;
  await ofReview(db.updateTable('reports'), review)
    .set({ user_id: null, note: null })
    .where('user_id', '=', userId)
    .where('decided_at', 'is not', null)
    .execute();
}

/** @returns whether it was added: a person has one report of a review at most */
export async function insertReport(
  db: Connection,
  review: ReviewKey,
  { userId, reason, note }: { userId: number; reason: ReasonKey; note: string | null },
  now: Milliseconds,
): Promise<boolean> {
  const report = db
    .insertInto('reports')
    .values({ review_id: review.id, school_id: review.school_id, user_id: userId, reason, note, created_at: now });
  const isAdded = await hasRow(report.onConflict((conflict) => conflict.doNothing()).returning('id'));
  if (isAdded) await noteAct(db, 'reports', now);
  return isAdded;
}

export async function insertAppeal(db: Connection, { id, school_id }: ReviewKey, body: string, now: Milliseconds) {
  await db.insertInto('appeals').values({ review_id: id, school_id, body, created_at: now }).execute();
}

/**
 * Deletes closed items of reviews that are shown again, with their appeals and the notes of their reports. The reports
 * themselves stay: nobody reports a review twice. @returns whether there may be more
 */
export async function deleteOldDecisions(db: Connection, decidedBefore: Milliseconds, most: number): Promise<boolean> {
  const items = await withItems(shownReviews(db))
    .select(['item.review_id as id', 'item.school_id'])
    .where('item.opened_at', 'is', null)
    .where('item.decided_at', '<', decidedBefore)
    .orderBy('item.decided_at')
    .limit(most)
    .execute();
  for (const item of items) {
    await ofReview(db.deleteFrom('appeals'), item).execute();
    await ofReview(db.updateTable('reports'), item).set({ note: null }).execute();
    await ofReview(db.deleteFrom('moderation_items'), item).where('opened_at', 'is', null).execute();
  }
  return items.length === most;
}
