import { type ReactNode, useRef } from 'react';
import { BURST_REVIEWS } from '../../../contract/bursts.ts';
import {
  getOpenCounts,
  getReports,
  type ModerationAction,
  type ModerationItem,
  REVEAL_REASON_LENGTH,
  revealAuthor,
} from '../../../contract/moderation.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { failureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { DecisionPanel, type QueuePosition } from '../../components/list/decision-panel.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { readField, shortReasonProblems, useForm } from '../../form.ts';
import { dateText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { passFocusOn } from '../../navigation.ts';
import { type Decision, decide, notifyDecided, showRefusal } from '../../shared/moderation/decisions.ts';
import { HideReasons, Subject, useHideReasons } from './panel-parts.tsx';
import { isUnreported } from './queue-items.ts';

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

/** A review as readers see it, and what happened to it: reports, decisions, the appeal, and what its author changed. */
function ReviewHistory({ item, isOpen }: { item: ModerationItem; isOpen: boolean }) {
  const { rating, createdAt, review, isHidden, hiddenReason, isEdited, decidedText, isBurst, appeal } = item;
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Stars value={rating} />
        <time dateTime={createdAt} className="text-sm text-ink-soft">
          {dateText(createdAt)}
        </time>
        {isHidden && (
          <b className="rounded-sm bg-danger-soft px-2 text-sm text-danger">
            {hiddenReason ? `Hidden: ${REASONS[hiddenReason]}` : 'Hidden'}
          </b>
        )}
        {isBurst && <b className="rounded-sm bg-accent-soft px-2 text-sm">Burst</b>}
        {isEdited && <b className="rounded-sm bg-accent-soft px-2 text-sm">Edited since the decision</b>}
      </p>
      {isBurst && isOpen && (
        <p className="max-w-prose text-sm text-ink-soft">
          One of {BURST_REVIEWS} or more reviews of this entry that new accounts wrote within minutes of each other.
          Until you keep or hide it, it does not weigh in the ranking.
        </p>
      )}
      {isUnreported(item) && (
        <p className="max-w-prose text-sm text-ink-soft">
          Nobody has reported this text. It waits to be looked at all the same.
        </p>
      )}
      {decidedText !== undefined && (
        <div className="grid gap-1">
          <h2 className="text-base">When it was decided about</h2>
          <ReviewText className="text-ink-soft">{decidedText}</ReviewText>
          <h2 className="mt-3 text-base">Now</h2>
          <ReviewText>{review}</ReviewText>
        </div>
      )}
      {decidedText === undefined && <ReviewText>{review}</ReviewText>}
      {appeal && (
        <div className="border-l-4 border-brand pl-3">
          <h2 className="text-base">The author appeals</h2>
          <p className="max-w-prose whitespace-pre-line wrap-anywhere">{appeal.text}</p>
        </div>
      )}
      <Reports title="Reports" reports={item.reports} />
      <Reports title="Reports decided before" reports={item.earlier} />
    </>
  );
}

function ReviewText({ className = '', children }: { className?: string; children: ReactNode }) {
  return (
    <p dir="auto" className={`max-w-prose font-serif text-lg whitespace-pre-line wrap-anywhere ${className}`}>
      {children}
    </p>
  );
}

interface ReportsProps {
  title: string;
  /** Undefined where a test answers the call with only the fields that contract-beyond.md §6 names. */
  reports: ModerationItem['reports'] | undefined;
}

function Reports({ title, reports = [] }: ReportsProps) {
  if (reports.length === 0) return null;
  return (
    <div className="grid gap-1">
      <h2 className="text-base">{title}</h2>
      <ul aria-label={title} className="grid gap-2">
        {reports.map((report) => (
          <li key={report.createdAt} className="wrap-anywhere">
            <b>{REASONS[report.reason]}</b>
            <span> </span>
            <time dateTime={report.createdAt} className="text-sm text-ink-soft">
              {dateText(report.createdAt)}
            </time>
            {report.note && <span className="block whitespace-pre-line">{report.note}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
