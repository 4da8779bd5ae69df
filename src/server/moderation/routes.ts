import {
  getNewestReviews,
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  moderateReview,
  revealAuthor,
} from '../../contract/moderation.ts';
import type { ReasonKey } from '../../contract/reasons.ts';
import { recordAdmin } from '../audit/queries.ts';
import type { Connection } from '../database/database.ts';
import { changes } from '../http/cache/tags.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { refusals } from '../http/refusals/refusals.ts';
import type { Serve } from '../http/serve/serve.ts';
import type { Outbox } from '../mail/outbox.ts';
import { countOpenProposals } from '../proposals/queries.ts';
import { closeItem, countOpenItems, findItem, findOpen, listItems } from '../reviews/reports/queries.ts';
import {
  hideReview,
  lockAuthor,
  lockReview,
  type ReviewMailPurpose,
  recordEvent,
  restoreReview,
  type StoredReview,
} from '../reviews/states/queries.ts';
import { findAuthor, listNewestReviews } from './queries.ts';

/** The tools that the calls for moderation need. */
interface ModerationTools extends LimitedTools {
  readonly outbox: Outbox<ReviewMailPurpose>;
}

/** Serves the newest reviews and the moderation queue, and takes the admins' decisions. */
export function serveModeration(serve: Serve, { throttles, now, outbox }: ModerationTools): void {
  serve.read(getNewestReviews, ({ db, query }) => listNewestReviews(db, query));

  serve.read(getReports, ({ db, query }) => listItems(db, query.state ?? 'open', query));

  serve.read(getOpenCounts, async ({ db }) => ({
    reports: await countOpenItems(db),
    proposals: await countOpenProposals(db),
  }));

  serve.write(moderateReview, async ({ db, commit, params: { reviewId }, body, caller }) => {
    const { action, reason, note } = body;
    if (action === 'hide' && reason === undefined) {
      throw refusals.badInput('The reason for hiding the review is missing.', 'reason');
    }
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    await lockAuthor(db, reviewId);
    const review = await lockReview(db, reviewId);
    if (!review || (review.hidden_at === null && review.withdrawn_at !== null)) throw refusals.notFound('review');
    const gone = review.withdrawn_at === null ? undefined : await findItem(db, reviewId);
    const told = await decide(db, review, action, reason ?? 'other', now());
    const details = { action, reason, note: note || null };
    await recordAdmin(db, caller, moderateReview, { kind: 'review', id: reviewId }, now(), details);
    if (told && review.user_id !== null) {
      await outbox.queue(db, commit, { purpose: told, userId: review.user_id, subjectId: reviewId });
    }
    commit.invalidate(...changes.reviewHidden({ entryId: review.entry_id, schoolId: review.school_id }, review.kind));
    // A review that its author withdrew while it was hidden is deleted when it is restored.
    return (await findItem(db, reviewId)) ?? { ...(gone as ModerationItem), isHidden: false };
  });

  // The audit entry names the review and not its author, so that the log does not become a list of who wrote what.
  serve.write(revealAuthor, async ({ db, params: { reviewId }, body: { reason }, caller }) => {
    await spend(db, throttles.on(LIMITS.adminWrites, caller.userId), now());
    const author = await findAuthor(db, reviewId);
    if (!author) throw refusals.notFound('review, or its author is deleted');
    await recordAdmin(db, caller, revealAuthor, { kind: 'review', id: reviewId }, now(), { reason });
    return author;
  });
}

/** @returns the mail that the decision requires, if any */
async function decide(
  db: Connection,
  review: StoredReview,
  action: ModerationAction,
  reason: ReasonKey,
  now: number,
): Promise<ReviewMailPurpose | undefined> {
  const isHidden = review.hidden_at !== null;
  if (action === 'hide') {
    if (isHidden) throw refusals.conflict('This review is hidden already. Load the page again.');
    await hideReview(db, review, reason, now);
    return 'review-hidden';
  }
  if (action === 'restore') {
    if (!isHidden) throw refusals.conflict('This review is not hidden. Load the page again.');
    await restoreReview(db, review, now);
    return 'review-restored';
  }
  const open = await findOpen(db, review);
  if (!open) throw refusals.conflict('Nothing is open about this review. Load the page again.');
  await recordEvent(db, review, open.isAppeal ? 'appealRefused' : 'kept', now);
  await closeItem(db, review, now);
  return open.isAppeal ? 'appeal-refused' : undefined;
}
