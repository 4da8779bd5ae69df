import { findAppealStep } from '../../../contract/events.ts';
import { appealReview, getMyReviews } from '../../../contract/my-reviews.ts';
import { tags } from '../../http/cache/tags.ts';
import type { LimitedTools } from '../../http/limits/throttle.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { isVisible } from '../../visibility/queries.ts';
import { insertAppeal, openItem } from '../reports/queries.ts';
import {
  completeHide,
  listEvents,
  lockAuthors,
  lockReview,
  type ReviewMailPurpose,
  recordEvent,
} from '../states/queries.ts';
import { listMyReviews } from './queries.ts';

/** Serves the authors' own reviews with their events, and their appeals. */
export function serveMyReviews(serve: Serve, { now, supportEmail, outbox }: MyReviewTools): void {
  serve.read(getMyReviews, ({ db, query, caller }) => listMyReviews(db, caller.userId, query));

  serve.write(appealReview, async ({ db, commit, params: { reviewId }, body, caller }) => {
    await lockAuthors(db, [reviewId]);
    const review = await lockReview(db, reviewId);
    const isOwn = review?.user_id === caller.userId;
    // Others do not learn that a review is hidden: otherwise anybody could list the ids of hidden reviews.
    if (!review || !(isOwn || isVisible(review))) throw refusals.notFound('review');
    if (!isOwn) throw refusals.notYours('review');
    if (review.hidden_at === null) throw refusals.conflict('This review is not hidden: there is nothing to appeal.');
    if (review.withdrawn_at !== null) {
      throw refusals.conflict(
        `You have withdrawn this review, so an appeal is no longer possible. Please write to ${supportEmail}.`,
      );
    }
    if (await completeHide(db, review)) {
      // The author knows of the hide, which can thus no longer be undone without a trace.
      await outbox.queue(db, commit, { purpose: 'review-hidden', userId: caller.userId, subjectId: reviewId });
      commit.invalidate(tags.removals);
    }
    const events = (await listEvents(db, [review])).get(reviewId) ?? [];
    const step = findAppealStep(events);
    if (step !== 'possible') {
      throw refusals.conflict(
        step === 'after an edit'
          ? 'Your appeal was refused. Edit your review first: then you can appeal once more.'
          : `You have appealed already. If anything is new, please write to ${supportEmail}.`,
      );
    }
    const at = now();
    await insertAppeal(db, review, body.text, at);
    await openItem(db, review, at);
    await recordEvent(db, review, 'appealed', at);
    return { reviewId, text: body.text, createdAt: new Date(at).toISOString() };
  });
}

/** The tools that the calls for appeals need. */
interface MyReviewTools extends Pick<LimitedTools, 'now'> {
  readonly outbox: Outbox<ReviewMailPurpose>;
  readonly supportEmail: string;
}
