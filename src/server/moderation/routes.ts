import {
  type BurstAction,
  getNewestReviews,
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  moderateBurst,
  moderateReview,
  revealAuthor,
} from '../../contract/moderation.ts';
import type { ReasonKey } from '../../contract/reasons.ts';
import { recordAdmin } from '../audit/queries.ts';
import type { Commit, Connection } from '../database/database.ts';
import { writeInstant } from '../database/instants.ts';
import { changes } from '../http/cache/tags.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Caller, Serve } from '../http/serve/serve.ts';
import type { Outbox } from '../mail/outbox.ts';
import { findOpenItem } from '../reviews/reports/queries.ts';
import {
  entryKeyOf,
  hideReview,
  keepReview,
  lockAuthors,
  lockReview,
  type ReviewMailPurpose,
  restoreReview,
  type StoredReview,
} from '../reviews/states/queries.ts';
import { findEntryKey } from '../visibility/entry-queries.ts';
import { lockManyReviews } from '../visibility/location-queries.ts';
import { isVisible } from '../visibility/queries.ts';
import { findAuthor, hasOtherAdmin, listNewestReviews } from './queries.ts';
import { findItem, listBurst, listItems } from './queue/queries.ts';
import { countOpenDecisions } from './waiting/queries.ts';

/** The tools that the calls for moderation need. */
interface ModerationTools extends LimitedTools {
  readonly outbox: Outbox<ReviewMailPurpose>;
}

/** Serves the newest reviews and the moderation queue, and takes the admins' decisions. */
export function serveModeration(serve: Serve, { throttles, now, outbox }: ModerationTools): void {
  /** Queues the mail about a decision, if the author still has an account. */
  async function tellAuthor(db: Connection, commit: Commit, review: StoredReview, purpose: ReviewMailPurpose) {
    if (review.user_id === null) return;
    await outbox.queue(db, commit, { purpose, userId: review.user_id, subjectId: review.id });
  }

  serve.read(getNewestReviews, ({ db, query }) => listNewestReviews(db, query));

  serve.read(getReports, ({ db, query }) => listItems(db, query.state ?? 'open', query));

  serve.read(getOpenCounts, async ({ db }) => {
    const { reviews, proposals } = await countOpenDecisions(db);
    return { reports: reviews, proposals };
  });

  serve.write(moderateReview, async ({ db, commit, params: { reviewId }, body, caller }) => {
    const { action, reason, note, isHeld } = body;
    requireReason(body);
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    await lockAuthors(db, [reviewId]);
    const review = await lockReview(db, reviewId);
    if (!review || (review.hidden_at === null && review.withdrawn_at !== null)) throw refusals.notFound('review');
    if (!(await mayDecide(db, caller, review))) throw ownReviewRefusal();
    if (action !== 'hide' && isChangedSince(review, body.unchangedSince)) throw refusals.conflict(CHANGED);
    const before = await findItem(db, review);
    const purpose = await decide(db, review, body, now());
    const details = { action, reason, note: note || null };
    await recordAdmin(db, caller, moderateReview, { kind: 'review', id: reviewId }, now(), details);
    if (purpose) await tellAuthor(db, commit, review, purpose);
    else if (isHeld) outbox.wake(commit);
    commit.invalidate(...changes.reviewHidden(entryKeyOf(review), review.kind));
    const item = await findItem(db, review);
    if (item) return item;
    // Restoring can leave no item: it deletes a review that its author withdrew while it was hidden, and it deletes an
    // item that did not exist before a hide that is still held. In any other case the entry was deleted meanwhile.
    if (action !== 'restore' || !before) throw refusals.notFound('review');
    return withoutHide(before);
  });

  serve.write(moderateBurst, async ({ db, commit, params: { entryId }, body, caller }) => {
    const { action, reason, upTo, unchangedSince } = body;
    requireReason(body);
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    await lockManyReviews(db);
    const entry = requireFound(await findEntryKey(db, entryId), 'entry');
    let decided = 0;
    let hasOwnReview = false;
    let hasChanged = false;
    const reviewIds = await listBurst(db, entry, upTo);
    await lockAuthors(db, reviewIds);
    for (const reviewId of reviewIds) {
      const review = await lockReview(db, reviewId);
      // The review was decided about or withdrawn meanwhile.
      if (!review || !isVisible(review) || !(await findOpenItem(db, review))) continue;
      if (!(await mayDecide(db, caller, review))) {
        hasOwnReview = true;
        continue;
      }
      if (action === 'keep' && isChangedSince(review, unchangedSince)) {
        hasChanged = true;
        continue;
      }
      const purpose = await decide(db, review, { action, reason }, now());
      await recordAdmin(db, caller, moderateBurst, { kind: 'review', id: reviewId }, now(), { action, reason });
      if (purpose) await tellAuthor(db, commit, review, purpose);
      commit.invalidate(...changes.reviewHidden(entryKeyOf(review), review.kind));
      decided += 1;
    }
    if (decided > 0) return { decided };
    if (hasChanged) throw refusals.conflict(CHANGED);
    throw hasOwnReview ? ownReviewRefusal() : refusals.conflict(NOTHING_OPEN);
  });

  // The audit entry names the review and not its author, so that the log does not become a list of who wrote what.
  serve.write(revealAuthor, async ({ db, params: { reviewId }, body: { reason }, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const author = requireFound(await findAuthor(db, reviewId), 'review, or its author is deleted');
    await recordAdmin(db, caller, revealAuthor, { kind: 'review', id: reviewId }, now(), { reason });
    return author;
  });
}

interface Decision {
  readonly action: ModerationAction | BurstAction;
  readonly reason?: ReasonKey | undefined;
  readonly isHeld?: boolean | undefined;
}

function requireReason({ action, reason }: Decision): void {
  if (action === 'hide' && reason === undefined) {
    throw refusals.badInput('The reason for hiding the review is missing.', 'reason');
  }
}

const NOTHING_OPEN = 'Nothing is open about this review. Load the page again.';

const CHANGED = 'Its author has edited this meanwhile. Read it again.';

/**
 * Whether the author has edited a review after an admin read it. Otherwise an author could show admins another text
 * than readers, and have an abusive one kept: those who reported it could not report it again.
 * @param since undefined when the admin's client does not say what was read
 */
const isChangedSince = (review: StoredReview, since: string | undefined) =>
  since !== undefined && writeInstant(review.edited_at ?? review.created_at) > since;

const ownReviewRefusal = () => refusals.forbidden('This is your own review. Another admin decides about it.');

/** Whether an admin may decide about a review: about their own only if there is no other admin. */
async function mayDecide(db: Connection, { userId }: Caller, review: StoredReview): Promise<boolean> {
  return review.user_id !== userId || !(await hasOtherAdmin(db, userId));
}

/** The answer for a review that has no item after the decision: the item before it, without the hide. */
function withoutHide({ hiddenReason: _, ...item }: ModerationItem): ModerationItem {
  return { ...item, isHidden: false };
}

/** @returns the purpose of the mail that the decision requires now, if any */
async function decide(
  db: Connection,
  review: StoredReview,
  { action, reason = 'other', isHeld = false }: Decision,
  now: number,
): Promise<ReviewMailPurpose | undefined> {
  const isHidden = review.hidden_at !== null;
  if (action === 'hide') {
    if (isHidden) throw refusals.conflict('This review is hidden already. Load the page again.');
    await hideReview(db, review, reason, now, { isHeld });
    return isHeld ? undefined : 'review-hidden';
  }
  if (action === 'restore') {
    if (!isHidden) throw refusals.conflict('This review is not hidden. Load the page again.');
    return (await restoreReview(db, review, now)) ? 'review-restored' : undefined;
  }
  const open = await findOpenItem(db, review);
  if (!open) throw refusals.conflict(NOTHING_OPEN);
  await keepReview(db, review, now, open);
  return open.isAppeal ? 'appeal-refused' : undefined;
}
