import { useState } from 'react';
import { BURST_REVIEWS } from '../../../contract/bursts.ts';
import { findCategory } from '../../../contract/categories.ts';
import {
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  moderateReview,
} from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { failureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { ReasonChoice } from '../../components/form/reason-choice.tsx';
import { PageLink } from '../../components/layout/page-link.tsx';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { RevealAuthor } from './reveal-author.tsx';

interface Decision {
  reviewId: number;
  action: ModerationAction;
  reason?: ReasonKey;
}

const DONE: Record<ModerationAction, string> = {
  hide: 'Review hidden.',
  restore: 'Review restored.',
  keep: 'Review kept as it is.',
};

const decide = ({ reviewId, ...body }: Decision) => request(moderateReview, { params: { reviewId }, body });

const readAgain = () => invalidateReads(getReports, getOpenCounts);

/** The decision that undoes another one; undefined if there is none. */
function oppositeOf({ reviewId, action }: Decision, { reports }: ModerationItem): Decision | undefined {
  if (action === 'keep') return undefined;
  if (action === 'hide') return { reviewId, action: 'restore' };
  return { reviewId, action: 'hide', reason: reports[0]?.reason ?? 'other' };
}

/** Undo sends the opposite decision. */
async function undo(opposite: Decision): Promise<void> {
  try {
    await decide(opposite);
    notify.success(DONE[opposite.action]);
  } catch (cause) {
    notify.failure(failureText(cause, 'That could not be undone: '));
  }
  await readAgain();
}

interface ItemPanelProps {
  item: ModerationItem;
  /** Whether the review waits for a decision. */
  isOpen: boolean;
  hasKeys: boolean;
  position: QueuePosition;
}

/** One review with its context, its reports and the buttons to decide. */
export function ItemPanel({ item, isOpen, hasKeys, position }: ItemPanelProps) {
  const [isHiding, setIsHiding] = useState(false);
  const [reason, setReason] = useState<ReasonKey>();
  const [problem, setProblem] = useState<string>();
  const { reviewId, isHidden } = item;

  const decision = useGuardedMutation({
    mutationFn: decide,
    onSuccess: async (_answer, decided) => {
      const opposite = oppositeOf(decided, item);
      notify.success(DONE[decided.action], opposite && { label: 'Undo', run: () => void undo(opposite) });
      position.onNext();
      await readAgain();
    },
    onError: (cause) => setProblem(failureText(cause, 'The decision was not taken: ')),
  });

  function hide(): void {
    if (!isHiding) setIsHiding(true);
    else if (reason === undefined) setProblem('Please choose a reason.');
    else decision.mutate({ reviewId, action: 'hide', reason });
  }
  const keep = () => decision.mutate({ reviewId, action: 'keep' });
  const isPending = (action: ModerationAction) => decision.isPending && decision.variables.action === action;

  return (
    <DecisionPanel
      label="Review to decide about"
      about={<Subject item={item} />}
      position={position}
      hasKeys={hasKeys}
      keys={{ k: isOpen ? keep : undefined, h: isHidden ? undefined : hide }}
      problem={problem}
      buttons={
        <>
          {isOpen && (
            <Button variant="quiet" isPending={isPending('keep')} onClick={keep}>
              Keep
            </Button>
          )}
          {isHidden ? (
            <Button isPending={isPending('restore')} onClick={() => decision.mutate({ reviewId, action: 'restore' })}>
              Restore
            </Button>
          ) : (
            <Button variant="danger" aria-expanded={isHiding} isPending={isPending('hide')} onClick={hide}>
              Hide
            </Button>
          )}
        </>
      }
    >
      <ModeratedReview item={item} isOpen={isOpen} />
      <RevealAuthor reviewId={reviewId} />
      {isHiding && !isHidden && <ReasonChoice legend="Why is it hidden?" onChoose={setReason} />}
    </DecisionPanel>
  );
}

/** Links to the entry and the school of the review. */
function Subject({ item: { category: kind, entryId, entryName, schoolId, schoolName } }: { item: ModerationItem }) {
  const category = findCategory(kind);
  return (
    <>
      {category && (
        <PageLink to={pageAddress(categoryPages(category).reviews, entryId)} className="text-link">
          {entryName}
        </PageLink>
      )}{' '}
      · {category?.label} ·{' '}
      <PageLink to={pageAddress(PAGES.school, schoolId)} className="text-link">
        {schoolName}
      </PageLink>
    </>
  );
}

/** The review as readers see it, with its state, its appeal and its reports. */
function ModeratedReview({ item, isOpen }: { item: ModerationItem; isOpen: boolean }) {
  const { rating, createdAt, review, isHidden, isBurst, appeal, reports } = item;
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Stars value={rating} />
        <time dateTime={createdAt} className="text-sm text-ink-soft">
          {dateText(createdAt)}
        </time>
        {isHidden && <b className="rounded-sm bg-danger-soft px-2 text-sm text-danger">Hidden</b>}
        {isBurst && <b className="rounded-sm bg-accent-soft px-2 text-sm">Burst</b>}
      </p>
      {isBurst && isOpen && (
        <p className="max-w-prose text-sm text-ink-soft">
          One of {BURST_REVIEWS} or more reviews of this entry that new accounts wrote within minutes of each other.
          Until you keep or hide it, it does not weigh in the ranking.
        </p>
      )}
      <p dir="auto" className="max-w-prose font-serif text-lg whitespace-pre-line wrap-anywhere">
        {review}
      </p>
      {appeal && (
        <div className="border-l-4 border-brand pl-3">
          <h2 className="text-base">The author appeals</h2>
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">{appeal.text}</p>
        </div>
      )}
      {reports.length > 0 && (
        <ul aria-label="Reports" className="grid gap-2">
          {reports.map((report) => (
            <li key={report.createdAt} className="wrap-anywhere">
              <b>{REASONS[report.reason]}</b>{' '}
              <time dateTime={report.createdAt} className="text-sm text-ink-soft">
                {dateText(report.createdAt)}
              </time>
              {report.note && <span className="block whitespace-pre-line">{report.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
