import { isNewAccount } from '../../contract/bursts.ts';
import { CATEGORIES, type Category } from '../../contract/categories.ts';
import { type AppealStep, findAppealStep } from '../../contract/events.ts';
import { REASONS } from '../../contract/reasons.ts';
import {
  findYearProblem,
  getCategoryReviews,
  getReview,
  type ReviewListQuery,
  reviewCalls,
  type WrittenReview,
} from '../../contract/reviews.ts';
import { periodStart } from '../../contract/scores.ts';
import { recordAdmin } from '../audit/queries.ts';
import { type Commit, type Connection, together } from '../database/database.ts';
import type { EntryKey } from '../database/review-tables.ts';
import type { Milliseconds } from '../database/tables.ts';
import { changes, tags } from '../http/cache/tags.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { hasOpenWindow, type LimitedTools, restartWindows, spend, spendUnchecked } from '../http/limits/throttle.ts';
import { entryWord, refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Caller, Serve } from '../http/serve/serve.ts';
import type { Outbox } from '../mail/outbox.ts';
import { noteAct } from '../numbers/queries.ts';
import { findEntryTally, isAloneInCategory, meanOf } from '../visibility/count-queries.ts';
import { findEntry, lockEntryShared } from '../visibility/entry-queries.ts';
import { hasSchool, isVisible } from '../visibility/queries.ts';
import { BY_NEW_ACCOUNT, isOfBurst, LEFT_BURST, trackBurst } from './bursts/queries.ts';
import { listCategoryReviews, listReviews } from './lists/queries.ts';
import { postInOneStatement } from './post-in-one-statement-queries.ts';
import * as queries from './queries.ts';
import { openItem, reportedReviewWithdrawals, waitsForDecision } from './reports/queries.ts';
import {
  entryKeyOf,
  findHidingReason,
  hideReview,
  listEvents,
  lockAuthors,
  lockReview,
  lockStoredReview,
  type ReviewMailPurpose,
  type StoredReview,
  withdrawReview,
} from './states/queries.ts';

/** The tools that the calls for reviews need. */
interface ReviewTools extends LimitedTools {
  readonly outbox: Outbox<ReviewMailPurpose>;
  readonly supportEmail: string;
}

/** Serves the calls of spec §7, "Reviews", and the author's own, for every category. */
export function serveReviews(serve: Serve, tools: ReviewTools): void {
  for (const category of CATEGORIES) {
    serveReading(serve, tools, category);
    servePosting(serve, tools, category);
    serveEditing(serve, tools, category);
    serveWithdrawing(serve, tools, category);
  }
}

// Lists filtered by `months` are not cached: no page offers this filter, and each number would need a cached response
// of its own.
const LIST_CACHING = { isCached: ({ months }: ReviewListQuery) => months === undefined };

function filterOf({ stars, relation, months }: ReviewListQuery, now: Milliseconds) {
  return { stars, relation, since: months === undefined ? undefined : periodStart(months, now) };
}

function serveReading(serve: Serve, { now }: ReviewTools, category: Category): void {
  const calls = reviewCalls(category);
  const ofReviews = ({ params }: { params: { id: number } }) => [tags.reviewsOf(params.id)];

  serve.read(
    calls.list,
    async ({ db, params: { id }, query }) => {
      // The entry is checked first: a list by id alone would also be shown by the calls of another category.
      const entry = await requireEntry(db, category, id);
      return listReviews(db, entry, query, filterOf(query, now()));
    },
    ofReviews,
    LIST_CACHING,
  );

  serve.read(
    calls.averageRating,
    async ({ db, params }) => ({ averageRating: meanOf(await requireTally(db, category, params.id)) }),
    ofReviews,
  );

  serve.read(
    calls.totalReviews,
    async ({ db, params }) => ({ totalReviews: (await requireTally(db, category, params.id)).reviewCount }),
    ofReviews,
  );

  serve.read(calls.mine, async ({ db, params, caller }) => {
    const entry = await requireEntry(db, category, params.id);
    const own = await queries.findOwnReview(db, entry, caller.userId);
    return own ?? null;
  });
}

function servePosting(serve: Serve, { throttles, now, supportEmail }: ReviewTools, category: Category): void {
  const { post } = reviewCalls(category);
  const entryIdOf = (body: Record<string, unknown>) => (body[category.itemKey] as { id: number }).id;
  const valuesOf = (body: WrittenReview & { userId?: number }, caller: Caller) => {
    if (body.userId !== undefined && body.userId !== caller.userId) throw refusals.notYours('userId', 'userId');
    return writtenColumns(caller, body, now());
  };

  serve.write(
    post,
    async ({ db, commit, body, caller }) => {
      const values = valuesOf(body, caller);
      // Sent together in one round trip on PostgreSQL, like the three below
      // (docs/decisions/056-queries-sent-together.md).
      const [, found] = await together([
        spend(db, throttles.on(LIMITS.reviews, caller.userId), now()),
        lockEntryShared(db, category, entryIdOf(body)),
      ]);
      const entry = requireFound(found, entryWord(category));
      const at = now();
      const isNew = isNewAccount({ joinedAt: caller.joinedAt, postedAt: at });
      const byNewAccount = isNew ? BY_NEW_ACCOUNT.counted : BY_NEW_ACCOUNT.no;
      const posted = await queries.insertReview(db, entry, caller.userId, values, at, byNewAccount);
      if (!posted) throw await alreadyReviewed(db, entry, caller.userId, supportEmail);
      const { isOnly, ...review } = posted;
      const [continuesBurst, replacesReported] = await together([
        isNew && trackBurst(db, entry, review.id, at),
        hasOpenWindow(db, reportedReviewWithdrawals(throttles, entry.id, caller.userId), at),
        noteAct(db, 'reviews', at),
      ]);
      if (continuesBurst && (await hasOpenWindow(db, throttles.on(LEFT_BURST, entry.id, caller.userId), at))) {
        await queries.markUncounted(db, { id: review.id, school_id: entry.schoolId });
      }
      if (replacesReported) await openItem(db, { id: review.id, school_id: entry.schoolId }, at);
      commit.invalidate(...changes.reviewsChanged(entry, category.kind));
      return { ...review, isFirst: isOnly && (await isAloneInCategory(db, category.kind, entry)) };
    },
    {
      inOneStatement: async ({ db, commit, body, caller }) => {
        const at = now();
        const posting = {
          kind: category.kind,
          entryId: entryIdOf(body),
          userId: caller.userId,
          values: valuesOf(body, caller),
          isNew: isNewAccount({ joinedAt: caller.joinedAt, postedAt: at }),
          throttles: throttles.on(LIMITS.reviews, caller.userId),
          reportedReviewWithdrawals: reportedReviewWithdrawals(throttles, entryIdOf(body), caller.userId),
        };
        return postInOneStatement(db, commit, posting, at);
      },
      // The entry is locked until the commit, so the missing row must be the author.
      onVanished: async () => refusals.invalidToken(),
    },
  );
}

function serveEditing(serve: Serve, { throttles, now }: ReviewTools, category: Category): void {
  serve.write(reviewCalls(category).update, async ({ db, commit, body, caller }) => {
    await spend(db, throttles.on(LIMITS.reviewEdits, caller.userId), now());
    const values = writtenColumns(caller, body, now());
    const stored = await lockReview(db, body.id);
    const isOwn = stored?.user_id === caller.userId;
    if (!stored || stored.kind !== category.kind || stored.withdrawn_at !== null) throw refusals.notFound('review');
    // Others do not learn that a review is hidden: otherwise anybody could list the ids of hidden reviews.
    if (!isOwn) throw isVisible(stored) ? refusals.notYours('review') : refusals.notFound('review');
    const review = await queries.updateReview(db, stored, caller.userId, values, now());
    commit.invalidate(...changes.reviewsChanged(entryKeyOf(stored), category.kind));
    return review;
  });
}

function serveWithdrawing(serve: Serve, tools: ReviewTools, category: Category): void {
  const { throttles, now } = tools;
  const { remove } = reviewCalls(category);

  serve.write(remove, async ({ db, commit, params: { id }, caller }) => {
    if (caller.isAdmin) await lockAuthors(db, [id]);
    // Its author can withdraw a review even while its entry is deleted; for others the review does not exist.
    const review = await lockStoredReview(db, id);
    const isOwn = review?.user_id === caller.userId;
    if (!review || review.kind !== category.kind || (review.isEntryDeleted && !isOwn))
      throw refusals.notFound('review');
    if (!isOwn && !caller.isAdmin) throw isVisible(review) ? refusals.notYours('review') : refusals.notFound('review');
    if (caller.isAdmin) await spend(db, throttles.on(LIMITS.deletes, caller.userId), now());
    if (isOwn) {
      if (review.withdrawn_at !== null) throw refusals.notFound('review');
      if (await isOfBurst(db, review)) {
        await spendUnchecked(db, throttles.on(LEFT_BURST, review.entry_id, caller.userId), now());
      }
      if (await waitsForDecision(db, review)) {
        await restartWindows(db, reportedReviewWithdrawals(throttles, review.entry_id, caller.userId), now());
      }
      await withdrawReview(db, review, now());
    } else {
      await hideAsAdmin(db, commit, tools, review);
      await recordAdmin(db, caller, remove, { kind: 'review', id }, now());
    }
    commit.invalidate(...changes.reviewHidden(entryKeyOf(review), category.kind));
    return {};
  });
}

/** Hides the review of somebody else, who is told by mail. @throws a 404 for a review that is not visible */
async function hideAsAdmin(db: Connection, commit: Commit, { now, outbox }: ReviewTools, review: StoredReview) {
  if (!isVisible(review)) throw refusals.notFound('review');
  await hideReview(db, review, 'other', now());
  if (review.user_id !== null) {
    await outbox.queue(db, commit, { purpose: 'review-hidden', userId: review.user_id, subjectId: review.id });
  }
}

/** The columns that an author writes. @throws a 400 for impossible years, a 403 for another user's name */
function writtenColumns(caller: Caller, written: WrittenReview, now: Milliseconds) {
  const problem = findYearProblem(written, new Date(now).getUTCFullYear());
  if (problem) throw refusals.badInput(problem.sentence, problem.field);
  return { ...written, username: authorName(caller, written.username) };
}

/** The username to store: the caller's own, or null for an anonymous review. @throws a 403 for another user's name */
function authorName(caller: Caller, username: string | undefined): string | null {
  if (!username) return null;
  if (username !== caller.username && username !== caller.tokenUsername)
    throw refusals.notYours('username', 'username');
  return username;
}

/** Why the caller may not post: they have a review already, visible or hidden. */
async function alreadyReviewed(db: Connection, entry: EntryKey, userId: number, supportEmail: string) {
  const own = await queries.findBlockingReview(db, entry, userId);
  if (!own || isVisible(own)) return refusals.conflict('You have already reviewed this. Edit your review instead.');
  if (own.withdrawn_at !== null) {
    return refusals.conflict(
      `Your review of this was hidden before you withdrew it, so an appeal is no longer possible. Please write to ${supportEmail}.`,
    );
  }
  const reason = REASONS[await findHidingReason(db, own)];
  const step = findAppealStep((await listEvents(db, [own])).get(own.id) ?? []);
  return refusals.conflict(`Your review of this was hidden. Reason: ${reason}. ${APPEAL_TEXTS[step]}`);
}

const APPEAL_TEXTS: Record<AppealStep, string> = {
  possible: 'You can appeal once under Your reviews.',
  waiting: 'You have appealed: an admin will look at it again.',
  'after an edit': 'Your appeal was refused. If you edit your review, you can appeal once more under Your reviews.',
  over: 'Your appeal was refused.',
};

const requireEntry = async (db: Connection, category: Category, id: number) =>
  requireFound(await findEntry(db, category, id), entryWord(category));

const requireTally = async (db: Connection, category: Category, id: number) =>
  requireFound(await findEntryTally(db, category.kind, id), entryWord(category));

/** Serves reviews by calls without a category in their names: single ones, and those of a category at a school. */
export function serveReviewsById(serve: Serve, { now }: Pick<ReviewTools, 'now'>): void {
  serve.read(
    getCategoryReviews,
    async ({ db, params: { schoolId }, query }) => {
      const page = await listCategoryReviews(db, { schoolId, kind: query.category }, query, filterOf(query, now()));
      if (page.rows.length === 0 && !(await hasSchool(db, schoolId))) throw refusals.notFound('school');
      return page;
    },
    ({ params: { schoolId } }) => [tags.school(schoolId), tags.reviewsAt(schoolId), tags.opinionsAt(schoolId)],
    LIST_CACHING,
  );

  serve.read(
    getReview,
    async ({ db, params }) => requireFound(await queries.findSingleReview(db, params.reviewId), 'review'),
    (_, { entryId, schoolId }) => [tags.reviewsOf(entryId), tags.entry(entryId), tags.school(schoolId)],
  );
}
