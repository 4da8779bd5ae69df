import { getMyProposals, updateMyProposal, withdrawMyProposal } from '../../contract/proposals.ts';
import { findYearProblem } from '../../contract/reviews.ts';
import type { Connection } from '../database/database.ts';
import { lockCallsOf } from '../database/lock-row.ts';
import { LIMITS } from '../http/limits/limits.ts';
import { type LimitedTools, spend } from '../http/limits/throttle.ts';
import { refusals, requireFound } from '../http/refusals/refusals.ts';
import type { Serve } from '../http/serve/serve.ts';
import { applyCorrections, hasEqualKey, type Proposed, updateProposal } from './proposed-queries.ts';
import * as queries from './queries.ts';
import { leaveProposal, listLaterReviews, replaceReview } from './review-queries.ts';

/** Serves a person's own proposals, which they can correct and withdraw until an admin decides. */
export function serveMyProposals(
  serve: Serve,
  { throttles, now }: LimitedTools,
  requireNew: (db: Connection, proposed: Proposed) => Promise<void>,
): void {
  serve.read(getMyProposals, ({ db, query, caller }) => queries.listMyProposals(db, caller.userId, query));

  serve.write(updateMyProposal, async ({ db, params: { id }, body, caller: { userId } }) => {
    const { review, ...fields } = body;
    const problem = review && findYearProblem(review, new Date(now()).getUTCFullYear());
    if (problem) throw refusals.badInput(problem.sentence, `review.${problem.field}`);
    await spend(db, throttles.on(LIMITS.reviewEdits, userId), now());
    const proposal = await lockOwnProposal(db, id, userId);
    // People who joined the proposal later can change only their own review.
    if (proposal.user_id === userId) await correct(db, proposal, fields);
    if (review && proposal.kind === 'entry') await replaceReview(db, proposal, userId, review);
    return requireFound(await queries.findMyProposal(db, id, userId), 'proposal');
  });

  /** Changes what is proposed. @throws a 409 when it is there or proposed already, or others have joined it */
  async function correct(
    db: Connection,
    proposal: queries.StoredProposal,
    fields: Parameters<typeof applyCorrections>[1],
  ): Promise<void> {
    const proposed = applyCorrections(proposal, fields);
    if (!hasEqualKey(proposal, proposed)) {
      await requireNew(db, proposed);
      if ((await listLaterReviews(db, [proposal])).length > 0) {
        throw refusals.conflict('Others have reviewed it under this name, which therefore stays.', 'name');
      }
    }
    const equalId = await updateProposal(db, proposal, proposed);
    if (equalId !== undefined) throw refusals.alreadyExists('This is proposed already.', { proposalId: equalId });
  }

  serve.write(withdrawMyProposal, async ({ db, params: { id }, caller: { userId } }) => {
    await spend(db, throttles.on(LIMITS.proposalWithdrawals, userId), now());
    await leaveProposal(db, await lockOwnProposal(db, id, userId), userId);
    return {};
  });
}

/** @throws a 404 when the caller has no part in such a proposal, a 409 when it is decided */
async function lockOwnProposal(db: Connection, id: number, userId: number): Promise<queries.StoredProposal> {
  // The user is locked before the proposal, in the same order as when an admin decides.
  await lockCallsOf(db, userId);
  const proposal = await queries.lockProposal(db, id);
  const isOwn =
    proposal &&
    (proposal.user_id === userId || (await listLaterReviews(db, [proposal])).some(({ user_id }) => user_id === userId));
  if (!isOwn) throw refusals.notFound('proposal');
  requireOpen(proposal);
  return proposal;
}

/** @throws a 409 for a decided proposal */
export function requireOpen({ state }: queries.StoredProposal): void {
  if (state !== 'open') throw refusals.conflict('This proposal is decided already. Load the page again.');
}
