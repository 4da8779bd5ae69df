import type { ReactNode } from 'react';
import { BURST_REVIEWS } from '../../../contract/bursts.ts';
import type { ModerationItem } from '../../../contract/moderation.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { Stars } from '../../components/school/stars.tsx';
import { dateText } from '../../format.ts';
import { isUnreported } from './queue-items.ts';

/** A review as readers see it, and what happened to it: reports, decisions, the appeal, and what its author changed. */
export function ReviewHistory({ item, isOpen }: { item: ModerationItem; isOpen: boolean }) {
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
