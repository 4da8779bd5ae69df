import { useState } from 'react';
import { BURST_REVIEWS } from '../../../contract/bursts.ts';
import { CATEGORIES } from '../../../contract/categories.ts';
import {
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  moderateReview,
} from '../../../contract/moderation.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { REASONS, type ReasonKey } from '../../../contract/reasons.ts';
import { failureText, keyOf, queryClient, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { DecisionButtons, DecisionPanel, type QueuePlace } from '../../components/decision-queue.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ReasonChoice } from '../../components/reason-choice.tsx';
import { Stars } from '../../components/stars.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { RevealAuthor } from './reveal-author.tsx';

interface ItemPanelProps extends QueuePlace {
  item: ModerationItem;
  /** Whether the review waits for a decision. */
  isOpen: boolean;
  hasKeys: boolean;
}

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

const DATE = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const dateOf = (at: string) => DATE.format(new Date(at));

const decide = ({ reviewId, ...body }: Decision) => request(moderateReview, { params: { reviewId }, body });

async function readAgain(): Promise<void> {
  await Promise.all(
    [getReports, getOpenCounts].map((call) => queryClient.invalidateQueries({ queryKey: keyOf(call) })),
  );
}

/** Undo sends the opposite decision. */
async function undo(decision: Decision): Promise<void> {
  try {
    await decide(decision);
    notify.success(DONE[decision.action]);
  } catch (cause) {
    notify.failure(failureText(cause, 'That could not be undone: '));
  }
  await readAgain();
}

/** One review with its context, its reports and the buttons to decide. */
export function ItemPanel({ item, isOpen, position, hasKeys, takesFocus, onNext }: ItemPanelProps) {
  const [isHiding, setIsHiding] = useState(false);
  const [reason, setReason] = useState<ReasonKey>();
  const [problem, setProblem] = useState<string>();
  const { reviewId } = item;

  const decision = useGuardedMutation({
    mutationFn: decide,
    onSuccess: async (_answer, { action }) => {
      const hidFor = reason ?? item.reports[0]?.reason ?? 'other';
      const back: Decision | undefined =
        action === 'hide'
          ? { reviewId, action: 'restore' }
          : action === 'restore'
            ? { reviewId, action: 'hide', reason: hidFor }
            : undefined;
      notify.success(DONE[action], back && { label: 'Undo', run: () => void undo(back) });
      onNext();
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

  const keys = { k: isOpen ? keep : undefined, h: item.isHidden ? undefined : hide, j: onNext };
  const category = CATEGORIES.find(({ kind }) => kind === item.category);
  return (
    <DecisionPanel label="Review to decide about" takesFocus={takesFocus} keys={hasKeys ? keys : {}}>
      <p className="flex flex-wrap justify-between gap-x-6 text-sm text-ink-soft">
        <span className="wrap-anywhere">
          {category && (
            <PageLink to={pageAddress(categoryPages(category).reviews, item.entryId)} className="text-link">
              {item.entryName}
            </PageLink>
          )}{' '}
          · {category?.label} ·{' '}
          <PageLink to={pageAddress(PAGES.school, item.schoolId)} className="text-link">
            {item.schoolName}
          </PageLink>
        </span>
        <span className="tabular-nums">{position}</span>
      </p>
      <p className="flex flex-wrap items-center gap-3">
        <Stars value={item.rating} />
        <time dateTime={item.createdAt} className="text-sm text-ink-soft">
          {dateOf(item.createdAt)}
        </time>
        {item.isHidden && <b className="rounded-sm bg-danger-soft px-2 text-sm text-danger">Hidden</b>}
        {item.isBurst && <b className="rounded-sm bg-accent-soft px-2 text-sm">Burst</b>}
      </p>
      {item.isBurst && isOpen && (
        <p className="max-w-prose text-sm text-ink-soft">
          One of {BURST_REVIEWS} or more reviews of this entry that new accounts wrote within minutes of each other.
          Until you keep or hide it, it does not weigh in the ranking.
        </p>
      )}
      <p dir="auto" className="max-w-prose text-lg whitespace-pre-line wrap-anywhere">
        {item.review}
      </p>
      {item.appeal && (
        <div className="border-l-4 border-brand pl-3">
          <h2 className="text-base">The author appeals</h2>
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">{item.appeal.text}</p>
        </div>
      )}
      {item.reports.length > 0 && (
        <ul aria-label="Reports" className="grid gap-2">
          {item.reports.map((report, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reports are only ever appended.
            <li key={index} className="wrap-anywhere">
              <b>{REASONS[report.reason]}</b>{' '}
              <time dateTime={report.createdAt} className="text-sm text-ink-soft">
                {dateOf(report.createdAt)}
              </time>
              {report.note && <span className="block whitespace-pre-line">{report.note}</span>}
            </li>
          ))}
        </ul>
      )}
      <RevealAuthor reviewId={reviewId} />
      {isHiding && !item.isHidden && <ReasonChoice legend="Why is it hidden?" onChoose={setReason} />}
      {problem && (
        <p role="alert" className="font-semibold text-danger">
          {problem}
        </p>
      )}
      <DecisionButtons>
        {isOpen && (
          <Button variant="quiet" disabled={decision.isPending} onClick={keep}>
            Keep
          </Button>
        )}
        {item.isHidden ? (
          <Button disabled={decision.isPending} onClick={() => decision.mutate({ reviewId, action: 'restore' })}>
            Restore
          </Button>
        ) : (
          <Button variant="danger" aria-expanded={isHiding} disabled={decision.isPending} onClick={hide}>
            Hide
          </Button>
        )}
        <Button variant="quiet" className="ml-auto" onClick={onNext}>
          Next
        </Button>
      </DecisionButtons>
    </DecisionPanel>
  );
}
