import { BURST_REVIEWS } from '../../../contract/bursts.ts';
import { type BurstAction, getOpenCounts, getReports, moderateBurst } from '../../../contract/moderation.ts';
import type { ReasonKey } from '../../../contract/reasons.ts';
import { invalidateReads, request } from '../../api.ts';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { countText, dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { showRefusal } from '../../shared/moderation/decisions.ts';
import { HideReasons, Subject, useHideReasons } from './panel-parts.tsx';
import type { Burst } from './queue-items.ts';

interface BurstPanelProps {
  burst: Burst;
  position: QueuePosition;
  /** Called when the reviews of the burst are to be shown as items of their own. */
  onLook: () => void;
}

/** The reviews of a burst, to be decided about together. */
export function BurstPanel({ burst, position, onLook }: BurstPanelProps) {
  const { entryId, reviews, reportedCount, upTo, changedAt } = burst;
  const [first] = reviews;
  const decision = useGuardedMutation({
    mutationFn: (body: { action: BurstAction; reason?: ReasonKey }) =>
      request(moderateBurst, { params: { entryId }, body: { ...body, upTo, unchangedSince: changedAt } }),
    onSuccess: async ({ decided }, { action }) => {
      notify.success(`${countText(decided, 'review')} ${action === 'hide' ? 'hidden' : 'kept'}.`);
      position.onNext();
      await invalidateReads(getReports, getOpenCounts);
    },
    onError: (cause) => showRefusal(cause, hiding.setProblem),
  });
  const hiding = useHideReasons((reason) => decision.mutate({ action: 'hide', reason }), 'fake');
  const isPending = (action: BurstAction) => decision.isPending && decision.variables.action === action;

  return (
    <DecisionPanel
      label="Review to decide about"
      about={<Subject item={first} />}
      position={position}
      problem={hiding.problem}
      decisions={[
        {
          shortcut: 'K',
          run: () => decision.mutate({ action: 'keep' }),
          isPending: isPending('keep'),
          children: 'Keep all',
        },
        { shortcut: 'H', ...hiding.button, isPending: isPending('hide'), variant: 'danger', children: 'Hide all' },
        { shortcut: 'L', run: onLook, children: 'Look at each' },
      ]}
    >
      <p className="flex flex-wrap items-center gap-3">
        <b className="rounded-sm bg-accent-soft px-2 text-sm">Burst</b>
        <span>{countText(reviews.length, 'review')} wait for a decision.</span>
      </p>
      <p className="max-w-prose text-sm text-ink-soft">
        <span>
          {`${BURST_REVIEWS} or more new accounts wrote about this entry within minutes of each other. Until you keep or hide them, their reviews do not weigh in the ranking.`}
        </span>
        {reportedCount > 0 && (
          <span>
            {` ${countText(reportedCount, 'other')} of the burst ${reportedCount === 1 ? 'is' : 'are'} reported and listed above: both buttons decide about ${reportedCount === 1 ? 'it' : 'them'} too.`}
          </span>
        )}
      </p>
      <ul aria-label="Reviews of the burst" className="border-t border-line">
        {reviews.map(({ reviewId, rating, createdAt, review }) => (
          <li key={reviewId} className="grid gap-1 border-b border-line py-3">
            <p className="flex flex-wrap items-center gap-3">
              <Stars value={rating} />
              <time dateTime={createdAt} className="text-sm text-ink-soft">
                {dateText(createdAt)}
              </time>
            </p>
            <p dir="auto" className="line-clamp-3 max-w-prose font-serif whitespace-pre-line wrap-anywhere">
              {review}
            </p>
          </li>
        ))}
      </ul>
      <HideReasons hiding={hiding} />
    </DecisionPanel>
  );
}
