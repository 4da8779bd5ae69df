import { type ModerationAction, moderateReview } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { failureText, queryClient, request } from '../../api.ts';
import { notify } from '../../notices.ts';

/** What an admin decides about a review. */
export interface Decision {
  reviewId: number;
  action: ModerationAction;
  reason?: ReasonKey | undefined;
  /** Of the review that the admin has read, for keeping or restoring it. */
  unchangedSince?: string;
}

/** Sends a decision. A review is hidden at once, but its author is notified after `HELD_MS`: "Undo" leaves no trace. */
export const decide = ({ reviewId, action, reason, unchangedSince }: Decision) =>
  request(moderateReview, {
    params: { reviewId },
    body: {
      action,
      ...(reason && { reason }),
      ...(unchangedSince && { unchangedSince }),
      ...(action === 'hide' && { isHeld: true }),
    },
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
export function notifyDecided({ action }: Decision, opposite?: Decision, text = DONE_NOTICES[action]): void {
  notify.success(text, opposite && { label: 'Undo', run: () => void undo(opposite) });
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
