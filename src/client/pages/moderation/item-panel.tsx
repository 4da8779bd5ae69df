import { useRef } from 'react';
import { getOpenCounts, getReports, type ModerationAction, type ModerationItem } from '../../../contract/moderation.ts';
import { failureText, invalidateReads } from '../../api.ts';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { KeyButton } from '../../components/list/key-button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { type Decision, decide, tellDecided } from '../../shared/moderation/decisions.ts';
import { HideReasons, useHideReasons } from './hide-reasons.tsx';
import { RevealAuthor } from './reveal-author.tsx';
import { ReviewStory } from './review-story.tsx';
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
  hasKeys: boolean;
  position: QueuePosition;
}

/** One review with its story and the buttons to decide. */
export function ItemPanel({ item, isOpen, hasKeys, position }: ItemPanelProps) {
  const keepButton = useRef<HTMLButtonElement>(null);
  const { reviewId, isHidden } = item;

  const decision = useGuardedMutation({
    mutationFn: decide,
    onSuccess: async (_answer, decided) => {
      const stays = isHidden && decided.action === 'keep' ? 'Review stays hidden.' : undefined;
      tellDecided(decided, oppositeOf(decided, item), stays);
      position.onNext();
      await invalidateReads(getReports, getOpenCounts);
    },
    onError: (cause) => hiding.setProblem(failureText(cause, 'The decision was not taken: ')),
  });
  const hiding = useHideReasons(
    (reason) => decision.mutate({ reviewId, action: 'hide', reason }),
    item.reports[0]?.reason,
  );
  const run = (action: ModerationAction) => () => decision.mutate({ reviewId, action });
  const isPending = (action: ModerationAction) => decision.isPending && decision.variables.action === action;
  const keyed = (key: string) => (hasKeys ? key : undefined);
  // Ends an appeal, which has no Undo: the key leads to the button, and Enter presses it.
  const keep = isHidden ? () => keepButton.current?.focus() : run('keep');

  return (
    <DecisionPanel
      label="Review to decide about"
      about={<Subject item={item} />}
      position={position}
      hasKeys={hasKeys}
      keys={{ ...(isOpen && { k: keep }), ...(isHidden ? { s: run('restore') } : { h: hiding.start }) }}
      problem={hiding.problem}
      buttons={
        <>
          {isOpen && (
            <KeyButton
              ref={keepButton}
              variant="quiet"
              shortcut={keyed('K')}
              isPending={isPending('keep')}
              onClick={run('keep')}
            >
              {isHidden ? 'Keep hidden' : 'Keep'}
            </KeyButton>
          )}
          {isHidden ? (
            <KeyButton shortcut={keyed('S')} isPending={isPending('restore')} onClick={run('restore')}>
              Show again
            </KeyButton>
          ) : (
            <KeyButton variant="danger" shortcut={keyed('H')} isPending={isPending('hide')} {...hiding.button}>
              Hide
            </KeyButton>
          )}
        </>
      }
    >
      <ReviewStory item={item} isOpen={isOpen} />
      <RevealAuthor reviewId={reviewId} />
      {!isHidden && <HideReasons hiding={hiding} />}
    </DecisionPanel>
  );
}
