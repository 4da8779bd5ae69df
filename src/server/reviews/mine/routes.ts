import { appealReview, getMyReviews } from '../../../contract/my-reviews.ts';
import type { LimitedTools } from '../../http/limits/throttle.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { insertAppeal, openItem } from '../reports/queries.ts';
import { isAppealed, lockReview, recordEvent } from '../states/queries.ts';
import { listMyReviews } from './queries.ts';

/** Serves the authors' own reviews with their events, and their appeals. */
export function serveMyReviews(serve: Serve, { now, supportEmail }: MyReviewTools): void {
  serve.read(getMyReviews, ({ db, query, caller }) => listMyReviews(db, caller.userId, query));

  serve.write(appealReview, async ({ db, params: { reviewId }, body, caller }) => {
    const review = await lockReview(db, reviewId);
    if (!review) throw refusals.notFound('review');
    if (review.user_id !== caller.userId) throw refusals.notYours('review');
    if (review.hidden_at === null) throw refusals.conflict('This review is not hidden: there is nothing to appeal.');
    if (review.withdrawn_at !== null) {
      throw refusals.conflict(
        `You have withdrawn this review, so an appeal is no longer possible. Please write to ${supportEmail}.`,
      );
    }
    if (await isAppealed(db, review)) {
      throw refusals.conflict(`You have appealed already. If anything is new, please write to ${supportEmail}.`);
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
  readonly supportEmail: string;
}
