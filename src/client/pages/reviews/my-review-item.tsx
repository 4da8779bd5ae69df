import { useRef, useState } from 'react';
import { type Category, findCategory } from '../../../contract/categories.ts';
import { RESTORE_DAYS } from '../../../contract/deletions.ts';
import { type AppealStep, type EventName, findAppealStep, type ReviewEvent } from '../../../contract/events.ts';
import { APPEAL_MAX, appealReview, getMyReviews, type MyReview } from '../../../contract/my-reviews.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { REASONS } from '../../../contract/reasons.ts';
import { failureText, invalidateReads, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { TextArea } from '../../components/form/fields.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { Stars } from '../../components/school/stars.tsx';
import { DraftNote, useDraft, useHasDraft } from '../../draft.tsx';
import { takeFocus, useForm } from '../../form.ts';
import { dateText } from '../../format.ts';
import { passFocusOn } from '../../navigation.ts';
import { notify } from '../../notices.ts';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';

const EVENT_LABELS: Record<EventName, string> = {
  posted: 'Posted',
  edited: 'Edited',
  reported: 'Reported',
  hidden: 'Hidden',
  restored: 'Restored',
  kept: 'Kept',
  appealed: 'Appealed',
  appealRefused: 'Appeal refused',
  merged: 'Merged',
};

/** An event of a review, for its author: "Hidden: It is fake". */
function eventText({ event, reason }: ReviewEvent): string {
  return reason === undefined ? EVENT_LABELS[event] : `${EVENT_LABELS[event]}: ${REASONS[reason]}`;
}

/** How far the appeals of a review are; undefined for one that cannot be appealed. */
const appealStepOf = ({ isHidden, isWithdrawn, isDeleted, events }: MyReview): AppealStep | undefined =>
  isHidden && !isWithdrawn && !isDeleted ? findAppealStep(events) : undefined;

const isRefusal = ({ event }: ReviewEvent) => event === 'appealRefused';

/** One of the user's own reviews: its state, the decisions about it, and the form to appeal. */
export function MyReviewItem({ review }: { review: MyReview }) {
  const category = findCategory(review.category);
  const step = appealStepOf(review);
  const lastHiding = review.events.findLast(({ event }) => event === 'hidden');
  const isMerged = review.events.some(({ event }) => event === 'merged');
  const state = useRef<HTMLParagraphElement>(null);
  return (
    <article ref={passFocusOn} className="grid gap-2">
      <h3 className="text-lg leading-snug wrap-anywhere">
        {category && !review.isDeleted ? (
          <TextLink to={pageAddress(categoryPages(category).reviews, review.entryId)}>{review.entryName}</TextLink>
        ) : (
          review.entryName
        )}
      </h3>
      <p className="text-sm text-ink-soft wrap-anywhere">
        {`${category?.label} · ${review.schoolName} · Posted ${dateText(review.createdAt)}`}
      </p>
      {review.isHidden && (
        <p ref={state} tabIndex={-1} className="border-l-4 border-danger pl-3">
          <strong>{lastHiding ? eventText(lastHiding) : 'Hidden'}</strong>
          <span>{review.isWithdrawn && !isMerged ? '. You withdrew it afterwards.' : '. Nobody but you sees it.'}</span>
          {step === 'waiting' && <span> You have appealed: an admin will look at it again.</span>}
          {step === 'after an edit' && (
            <span> Your appeal was refused. If you edit your review, you can appeal once more.</span>
          )}
        </p>
      )}
      {isMerged && (
        <p className="border-l-4 border-line-strong pl-3">
          <strong>Merged</strong>
          <span>. Two entries became one: the newer of your two reviews stays, and nobody but you sees this one.</span>
        </p>
      )}
      {category && review.isDeleted && <DeletedReview review={review} category={category} />}
      <p>
        <Stars value={review.rating} />
      </p>
      <p dir="auto" className="line-clamp-3 max-w-prose font-serif whitespace-pre-line wrap-anywhere">
        {review.review}
      </p>
      {step === 'possible' && (
        <Appeal
          reviewId={review.id}
          isLast={
            lastHiding !== undefined && review.events.lastIndexOf(lastHiding) < review.events.findLastIndex(isRefusal)
          }
          onSent={() => state.current?.focus()}
        />
      )}
      {/* The first event is the posting, whose date is shown above. */}
      {review.events.length > 1 && <History events={review.events} />}
    </article>
  );
}

/** For the author of a review whose page an admin has deleted: they can wait, or withdraw it before it comes back. */
function DeletedReview({ review, category }: { review: MyReview; category: Category }) {
  const [step, setStep] = useState<'offer' | 'ask' | 'keep'>('offer');
  return (
    <div className="grid gap-2 border-l-4 border-line-strong pl-3">
      <p>
        <strong>An admin deleted the page of this review.</strong> It can come back within {RESTORE_DAYS} days. Until
        then nobody but you sees the review.
      </p>
      {!review.isWithdrawn && (
        <div ref={passFocusOn} className="flex flex-wrap items-center gap-3">
          {step === 'ask' ? (
            <ConfirmWithdrawal
              category={category}
              reviewId={review.id}
              onWithdrawn={() => invalidateReads(getMyReviews)}
              onKeep={() => setStep('keep')}
            />
          ) : (
            <Button variant="quiet" ref={step === 'keep' ? takeFocus : undefined} onClick={() => setStep('ask')}>
              Delete your review
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function History({ events }: Pick<MyReview, 'events'>) {
  return (
    <details className="text-sm">
      <summary className="flex min-h-touch items-center justify-self-start text-link">
        {`History (${events.length})`}
      </summary>
      <ol className="grid gap-1 pb-2">
        {events.map((event) => (
          <li key={`${event.event} ${event.at}`} className="flex gap-4">
            <time dateTime={event.at} className="w-28 shrink-0 text-ink-soft tabular-nums">
              {dateText(event.at)}
            </time>
            <span>{eventText(event)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

interface AppealProps extends Pick<AppealFormProps, 'reviewId' | 'onSent'> {
  /** Whether an appeal against this hiding was refused before. */
  isLast: boolean;
}

/**
 * Offers an appeal, which the author can send once each time that the review is hidden, and once more when they have
 * edited it after a refusal.
 */
function Appeal({ reviewId, isLast, onSent }: AppealProps) {
  const formName = `appeal ${reviewId}`;
  // With a draft the form is open at once, and does not take the focus.
  const [step, setStep] = useState<'offer' | 'draft' | 'write' | 'cancelled'>(
    useHasDraft(formName) ? 'draft' : 'offer',
  );
  if (step === 'write' || step === 'draft') {
    return (
      <AppealForm
        form={formName}
        reviewId={reviewId}
        takesFocus={step === 'write'}
        onSent={onSent}
        onCancel={() => setStep('cancelled')}
      />
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="quiet" ref={step === 'cancelled' ? takeFocus : undefined} onClick={() => setStep('write')}>
        Appeal
      </Button>
      <p className="text-sm text-ink-soft">{isLast ? 'You can appeal once more.' : 'You can appeal once.'}</p>
    </div>
  );
}

interface AppealFormProps {
  /** The name of the form. */
  form: string;
  reviewId: number;
  takesFocus: boolean;
  /** Called when this form is gone. */
  onSent: () => void;
  onCancel: () => void;
}

function AppealForm({ form, reviewId, takesFocus, onSent, onCancel }: AppealFormProps) {
  const draft = useDraft(form, { text: '' });
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: 'send your appeal',
    read: () => draft.values.text.trim(),
    check: (text) => (text === '' ? [{ text: 'Please say why your review should be shown.', field: 'text' }] : []),
    send: (text) => request(appealReview, { params: { reviewId }, body: { text } }),
    onSent: async () => {
      notify.success('Appeal sent. An admin will look at your review again.');
      await invalidateReads(getMyReviews);
      onSent();
    },
    failureOf: (error) => failureText(error, 'The appeal was not sent: '),
  });

  return (
    <form method="post" noValidate onSubmit={onSubmit} className="grid max-w-prose gap-3">
      <DraftNote draft={draft} />
      <TextArea
        label="Your appeal"
        name="text"
        {...draft.text('text')}
        maxLength={APPEAL_MAX}
        help="Say why your review should be shown. An admin reads it without your name."
        error={problem.errorOf('text') ?? problem.errorOf()}
        autoFocus={takesFocus}
        required
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          Send appeal
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
