import type { Database } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { tags } from '../../http/cache/tags.ts';
import type { DelayedWork } from '../../mail/outbox.ts';
import { insertMail } from '../../mail/queries.ts';
import { completeHide, lockAuthors, lockStoredReview, type ReviewMailPurpose } from '../states/queries.ts';
import { findDueHide, findNextDueTime } from './queries.ts';

/**
 * Completes held hides when the time to undo them is over. For each hide one transaction writes event, public line and
 * mail. Of several processes that try it at once, only one finds the hide still held.
 */
export function createHeldHides({ database, now }: { database: Database; now: () => Milliseconds }): DelayedWork {
  return {
    async doNext() {
      const reviewId = await findDueHide(database.read, now());
      if (reviewId === undefined) return false;
      return database.write(async (db, commit) => {
        await lockAuthors(db, [reviewId]);
        const review = await lockStoredReview(db, reviewId);
        if (!review || !(await completeHide(db, review))) return false;
        if (review.user_id !== null) {
          const purpose: ReviewMailPurpose = 'review-hidden';
          await insertMail(db, { purpose, userId: review.user_id, subjectId: reviewId }, now());
        }
        commit.invalidate(tags.removals);
        return true;
      });
    },
    findNextDue: () => findNextDueTime(database.read),
  };
}
