import { reportReview } from '../../../contract/moderation.ts';
import { lockCallsOf } from '../../database/lock-row.ts';
import { tags } from '../../http/cache/tags.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import type { LimitedTools } from '../../http/limits/throttle.ts';
import { requireRowLimit } from '../../http/limits/throttle.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { isVisible } from '../../visibility/queries.ts';
import { lockReview, recordEvent } from '../states/queries.ts';
import { allowNewReport, insertReport, openItem } from './queries.ts';

/** Serves the reporting of reviews. */
export function serveReports(serve: Serve, { now }: Pick<LimitedTools, 'now'>): void {
  serve.write(
    reportReview,
    async ({ db, commit, params: { reviewId }, body, caller }) => {
      const { reason } = body;
      const note = body.note || null;
      if (reason === 'other' && note === null) throw refusals.badInput('Say in the note what is wrong.', 'note');
      // The user is locked before the review, so that concurrent reports of one person are counted one after the other.
      await lockCallsOf(db, caller.userId);
      const review = await lockReview(db, reviewId);
      if (!review || !isVisible(review)) throw refusals.notFound('review');
      if (review.user_id === caller.userId) {
        throw refusals.forbidden('This is your own review. You can edit or delete it instead.');
      }
      const at = now();
      await allowNewReport(db, review, caller.userId);
      if (!(await insertReport(db, review, { userId: caller.userId, reason, note }, at))) {
        throw refusals.conflict('You have reported this review already. One report of each person is enough.');
      }
      await requireRowLimit(db, ['reports'], LIMITS.reports, caller.userId, at);
      await openItem(db, review, at);
      await recordEvent(db, review, 'reported', at);
      commit.invalidate(tags.opinionsAt(review.school_id));
      return { reviewId, reason, ...(note !== null && { note }), createdAt: new Date(at).toISOString() };
    },
    // The review is locked until the commit, so the missing row must be the reporter.
    { onVanished: async () => refusals.invalidToken() },
  );
}
