import type { BodyOf } from '../../../contract/call.ts';
import { type ModerationAction, moderateReview } from '../../../contract/moderation.ts';
import { CallError, failureText, queryClient, request } from '../../api.ts';
import { notify } from '../../notices.ts';

/** An admin's decision about a review. */
export interface Decision extends Omit<BodyOf<typeof moderateReview>, 'isHeld'> {
  reviewId: number;
}

/** Sends a decision. A review is hidden at once, but its author is notified after `HELD_MS`: "Undo" leaves no trace. */
export const decide = ({ reviewId, ...body }: Decision) =>
  request(moderateReview, {
    params: { reviewId },
    body: { ...body, ...(body.action === 'hide' && { isHeld: true }) },
  });

const DONE_NOTICES: Record<ModerationAction, string> = {
  hide: 'Review hidden.',
  restore: 'Review restored.',
  keep: 'Review kept as it is.',
};

/**
 * Shows that a decision was taken, and offers to undo it.
 * @param opposite the decision that undoes it; undefined if there is none
 * @param text default: by the action
 */
export function notifyDecided({ action, reviewId }: Decision, opposite?: Decision, text = DONE_NOTICES[action]): void {
  notify.success(text, `review ${reviewId}`, opposite && { label: 'Undo', run: () => void undo(opposite) });
}

/**
 * Says why a decision was refused. If the item has changed since the admin read it, the queue is read again, which may
 * remove the item: a notice says why.
 * @param say shows a text beside the item
 */
export function showRefusal(cause: unknown, say: (text: string) => void): void {
  const text = failureText(cause, 'The decision was not taken: ');
  if (cause instanceof CallError && cause.status === 409) notify.failure(text);
  else say(text);
}

async function undo(opposite: Decision): Promise<void> {
  try {
    await decide(opposite);
    notifyDecided(opposite);
  } catch (cause) {
    notify.failure(failureText(cause, 'That could not be undone: '));
  }
  await queryClient.invalidateQueries();
}
