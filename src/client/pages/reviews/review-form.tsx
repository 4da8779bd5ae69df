import { useEffect, useRef, useState } from 'react';
import type { OwnReview, PostedReview } from '../../../contract/reviews.ts';
import { DraftNote } from '../../components/form/draft-note.tsx';
import { useDraft } from '../../draft.ts';
import { useForm } from '../../form.ts';
import { useSession } from '../../session.ts';
import { type Draft, draftOf, EMPTY_DRAFT, findProblems } from '../../shared/reviews/drafts.ts';
import { refetchAsDeleted, refetchReviews } from '../../shared/reviews/reading.ts';
import { ReviewFields } from '../../shared/reviews/review-fields.tsx';
import { ReplacingNote } from './second-review.tsx';
import { isDuplicate, isGone, type ReviewTarget, reviewFailureText, sendReview, showSent } from './send-review.ts';
import { SubmitRow } from './submit-row.tsx';

interface ReviewFormProps extends ReviewTarget {
  /** Undefined while it is loading. */
  entryName: string | undefined;
  /** Whether the draft was begun as a new review, which will replace the one to edit. */
  isReplacing?: boolean;
  takesFocus?: boolean;
  /** False while the page may still move or replace the form, which then does not take the focus after a login. */
  isSettled?: boolean;
  /** Called after saving or cancelling, with the review that was posted. */
  onDone: (posted?: PostedReview) => void;
  /** Called when the review to edit turns out to be deleted, with what was written. */
  onGone: (written: Draft) => void;
}

/** The name of the form, for its draft: one for a new review of the entry, one for each review that is edited. */
export const reviewFormName = (editing: OwnReview | undefined) => (editing ? `edit ${editing.id}` : 'review');

/** What a login is for: "post your review of Chess Club". */
function useLoginTo({ entryName, editing }: ReviewFormProps): string {
  // When a session ends, the cache is emptied: the name is then unknown until it is read again.
  const [lastName = 'this', setLastName] = useState(entryName);
  if (entryName !== undefined && entryName !== lastName) setLastName(entryName);
  return editing ? `save your changes to your review of ${lastName}` : `post your review of ${lastName}`;
}

/** Writes a new review or edits one's own. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, entryId, editing, isReplacing = false, takesFocus = false, isSettled = true } = props;
  const { onDone, onGone } = props;
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [hasReturned, setHasReturned] = useState(false);
  const [wasRefused, setWasRefused] = useState(false);
  // What was saved stays in the form until the review is read again.
  const [saved, setSaved] = useState<Draft>();
  const name = reviewFormName(isReplacing ? undefined : editing);
  const draft = useDraft(name, editing ? (saved ?? draftOf(editing)) : EMPTY_DRAFT);
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: useLoginTo(props),
    read: () => draft.values,
    check: findProblems,
    send: async (values) => {
      const posted = await sendReview(props, values, session);
      setSaved(values);
      return posted;
    },
    onSent: async (posted) => {
      await showSent(props, posted);
      onDone(posted);
    },
    onFailure: (error, values) => {
      setWasRefused(isDuplicate(error));
      // The user has posted a review already: once it is read, the form replaces it.
      if (isDuplicate(error)) void refetchReviews(category);
      if (isGone(error, props)) {
        draft.discard();
        onGone(values);
        void refetchAsDeleted(category, entryId);
      }
    },
    failureOf: (error) => reviewFailureText(error, props),
    keepsFocus: true,
  });

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus();
  }, [takesFocus]);

  // Once the form replaces the first review, the refusal of a second one no longer applies.
  const refusal = isReplacing && wasRefused ? null : problem.errorOf();

  function cancel(): void {
    draft.discard();
    onDone();
  }

  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <DraftNote
        draft={draft}
        isSettled={isSettled}
        onReturn={() => setHasReturned(true)}
        onDiscard={editing && onDone}
      />
      <ReplacingNote isShown={isReplacing} takesFocus={hasReturned || wasRefused} />
      <ReviewFields
        category={category}
        draft={draft.values}
        editing={editing}
        onChange={draft.change}
        problemOf={problem.errorOf}
      />
      {refusal && <p className="text-sm font-semibold text-danger">{refusal}</p>}
      <SubmitRow
        category={category}
        draft={draft.values}
        isReady={hasReturned}
        isPending={isPending}
        onCancel={editing && cancel}
      />
    </form>
  );
}
