import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import type { Tag } from '../../database/change-tags.ts';
import type { Commit, Connection } from '../../database/database.ts';
import { changes, tags } from '../../http/cache/tags.ts';
import { LIMITS } from '../../http/limits/limits.ts';
import type { Pace } from '../../http/limits/pacing.ts';
import { type LimitedTools, spend } from '../../http/limits/throttle.ts';
import { refusals, requireFound } from '../../http/refusals/refusals.ts';
import type { Caller, Serve } from '../../http/serve/serve.ts';
import * as queries from './queries.ts';

interface HelpfulTools extends LimitedTools {
  /** Undefined with RATE_LIMIT=off. */
  readonly pace: Pace | undefined;
  readonly hasCached: (tag: Tag) => boolean;
}

/** Serves the helpful marks of reviews. */
export function serveHelpful(serve: Serve, { throttles, now, pace, hasCached }: HelpfulTools): void {
  interface Marking {
    db: Connection;
    commit: Commit;
    params: { reviewId: number };
    caller: Caller;
  }

  async function setMark({ db, commit, params: { reviewId }, caller }: Marking, isMarked: boolean) {
    const review = requireFound(await queries.lockMarkable(db, reviewId), 'review');
    if (review.userId === caller.userId) throw refusals.forbidden('This is your own review. It is for others to mark.');
    await spend(db, throttles.on(LIMITS.helpfulMarks, caller.userId), now());
    const isChanged = isMarked
      ? await queries.insertMark(db, review, caller.userId)
      : await queries.deleteMark(db, review, caller.userId);
    const counted = requireFound(await queries.addToHelpful(db, review, isChanged ? (isMarked ? 1 : -1) : 0), 'review');
    if (isChanged) commit.invalidate(...changes.marksChanged([{ id: counted.entryId, schoolId: review.school_id }]));
    return { helpful: counted.helpful };
  }

  /**
   * Each mark invalidates every list and document of its entry, which are expensive to make. While any of them is
   * cached, the marks of an entry are paced: one is stored at once, and those that follow wait and are stored together.
   * They are answered afterwards, so that whoever has marked a review finds the new number everywhere.
   */
  async function paceMark({ db, params }: Pick<Marking, 'db' | 'params'>): Promise<void> {
    const review = await queries.findMarkable(db, params.reviewId);
    if (review && hasCached(tags.reviewsOf(review.entryId))) await pace?.(review.entryId);
  }

  serve.write(markHelpful, (marking) => setMark(marking, true), {
    before: paceMark,
    // On PostgreSQL the review may be deleted between the query and the insert. If the review exists, the user is gone.
    onVanished: async ({ db, params }) =>
      (await queries.findMarkable(db, params.reviewId)) ? refusals.invalidToken() : refusals.notFound('review'),
  });

  serve.write(unmarkHelpful, (marking) => setMark(marking, false), { before: paceMark });

  serve.read(getMyHelpful, async ({ db, params, caller }) =>
    requireFound(await queries.listMarkedIds(db, params.entryId, caller.userId), 'entry'),
  );
}
