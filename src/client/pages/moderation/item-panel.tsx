import { useRef } from 'react';
import {
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  REVEAL_REASON_LENGTH,
  revealAuthor,
} from '../../../contract/moderation.ts';
import { failureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { useForm } from '../../form.ts';
import { readField, shortReasonProblems } from '../../form-problem.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { type Decision, decide, notifyDecided, showRefusal } from '../../shared/moderation/decisions.ts';
import { HideReasons, useHideReasons } from './hide-reasons.tsx';
import { ReviewHistory } from './review-history.tsx';
import { Subject } from './subject.tsx';

/** The decision that undoes another one; undefined if there is none. */
function oppositeOf({ reviewId, action }: Decision, { hiddenReason }: ModerationItem): Decision | undefined {
  if (action === 'keep') return undefined;
  if (action === 'hide') return { reviewId, action: 'restore' };
  return { reviewId, action: 'hide', reason: hiddenReason ?? 'other' };
}

interface ItemPanelProps {
  item: ModerationItem;
  /** Whether the review waits for a decision. */
  isOpen: boolean;
  position: QueuePosition;
}

/** One review with its history and the buttons to decide. */
export function ItemPanel({ item, isOpen, position }: ItemPanelProps) {
  const keepButton = useRef<HTMLButtonElement>(null);
  const { reviewId, changedAt, isHidden } = item;

  const decision = useGuardedMutation({
    mutationFn: decide,
    onSuccess: async (_answer, decided) => {
      const staysHiddenText = isHidden && decided.action === 'keep' ? 'Review stays hidden.' : undefined;
      notifyDecided(decided, oppositeOf(decided, item), staysHiddenText);
      position.onNext();
      await invalidateReads(getReports, getOpenCounts);
    },
    onError: (cause) => showRefusal(cause, hiding.setProblem),
  });
  const hiding = useHideReasons(
    (reason) => decision.mutate({ reviewId, action: 'hide', reason }),
    item.reports[0]?.reason,
  );
  const runnerOf = (action: ModerationAction) => () => decision.mutate({ reviewId, action, unchangedSince: changedAt });
  const isPending = (action: ModerationAction) => decision.isPending && decision.variables.action === action;
  const keep = {
    ref: keepButton,
    shortcut: 'K',
    // For a hidden review this ends the appeal, which has no Undo: the key focuses the button, and Enter presses it.
    run: isHidden ? () => keepButton.current?.focus() : runnerOf('keep'),
    onClick: runnerOf('keep'),
    isPending: isPending('keep'),
    children: isHidden ? 'Keep hidden' : 'Keep',
  };

  return (
    <DecisionPanel
      label="Review to decide about"
      about={<Subject item={item} />}
      position={position}
      problem={hiding.problem}
      decisions={[
        ...(isOpen ? [keep] : []),
        isHidden
          ? {
              shortcut: 'S',
              replaces: 'H',
              run: runnerOf('restore'),
              isPending: isPending('restore'),
              variant: 'primary',
              children: 'Show again',
            }
          : { shortcut: 'H', ...hiding.button, isPending: isPending('hide'), variant: 'danger', children: 'Hide' },
      ]}
    >
      <ReviewHistory item={item} isOpen={isOpen} />
      <RevealAuthor reviewId={reviewId} />
      {!isHidden && <HideReasons hiding={hiding} />}
    </DecisionPanel>
  );
}

/** Shows an admin who wrote a review, after they have given a reason. */
function RevealAuthor({ reviewId }: { reviewId: number }) {
  const { problem, onSubmit, isPending, answer } = useForm({
    read: (form) => readField(form, 'reason').trim(),
    check: (reason) => shortReasonProblems(reason, REVEAL_REASON_LENGTH.min),
    send: (reason) => request(revealAuthor, { params: { reviewId }, body: { reason } }),
    failureOf: (error) => failureText(error, 'The author was not revealed: '),
  });

  return (
    <details>
      <summary className="flex min-h-touch items-center text-link">Who wrote this?</summary>
      {/* Rendered before it has a text, so that screen readers announce the text. */}
      <p role="status" className="wrap-anywhere">
        {answer && (
          <span>
            Written by <b>{answer.username}</b> (user {answer.userId}).
          </span>
        )}
      </p>
      {!answer && (
        // The keys of the panel work only while the focus is in it.
        <form ref={passFocusOn} method="post" noValidate onSubmit={onSubmit} className="grid max-w-prose gap-3">
          <Field
            label="Reason"
            name="reason"
            help="The audit trail keeps it with your name."
            required
            minLength={REVEAL_REASON_LENGTH.min}
            maxLength={REVEAL_REASON_LENGTH.max}
            error={problem.errorOf('reason') ?? problem.errorOf()}
          />
          <Button type="submit" variant="quiet" className="justify-self-start" isPending={isPending}>
            Reveal author
          </Button>
        </form>
      )}
    </details>
  );
}
