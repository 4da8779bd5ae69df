import { useEffect, useRef, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import {
  backgroundInputs,
  backgroundOfInputs,
  type OwnReview,
  type PostedReview,
  reviewCalls,
} from '../../../contract/reviews.ts';
import { actionFailureText, CallError, request } from '../../api.ts';
import { DraftNote } from '../../components/form/draft-note.tsx';
import { useDraft } from '../../draft.ts';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { type Session, useSession } from '../../session.ts';
import { type Draft, EMPTY_DRAFT, findProblems } from '../../shared/reviews/drafts.ts';
import { forgetReviewPage, readAfterPost, readAgain } from '../../shared/reviews/reading.ts';
import { ReviewFields } from '../../shared/reviews/review-fields.tsx';
import { SubmitRow } from './submit-row.tsx';

interface ReviewFormProps {
  category: Category;
  entryId: number;
  /** Undefined while it is loading. */
  entryName: string | undefined;
  /** The review to edit. Default: the form writes a new one. */
  editing?: OwnReview;
  takesFocus?: boolean;
  /** False while the page may still move or replace the form, which then does not take the focus after a login. */
  isSettled?: boolean;
  /** Called after saving or cancelling, with the review that was posted. */
  onDone: (posted?: PostedReview) => void;
}

function draftOf(own: OwnReview): Draft {
  const { rating, review, username } = own;
  return { rating, review, isAnonymous: username === undefined, ...backgroundInputs(own) };
}

/** The name of the form, for its draft: one for a new review of the entry, one for each review that is edited. */
export const reviewFormName = (editing: OwnReview | undefined) => (editing ? `edit ${editing.id}` : 'review');

/** Whether the server answered a call with this status. */
export const hasStatus = (error: Error, status: number) => error instanceof CallError && error.status === status;

interface Subject {
  readonly category: Category;
  readonly entryId: number;
}

/** What both calls send: the review, with its author's name unless it is anonymous. */
function reviewBody(draft: Draft, session: Session | null) {
  const { rating, review, isAnonymous } = draft;
  return { username: isAnonymous ? undefined : session?.username, rating, review, ...backgroundOfInputs(draft) };
}

/** Posts a review of an entry. */
export function sendReview({ category, entryId }: Subject, draft: Draft, session: Session | null) {
  const { post } = reviewCalls(category);
  const body = { [category.itemKey]: { id: entryId }, userId: session?.userId, ...reviewBody(draft, session) };
  return request(post, { body });
}

/** Sends the review. @returns the one that was posted; undefined after an edit */
async function send({ category, entryId, editing }: ReviewFormProps, draft: Draft, session: Session | null) {
  if (!editing) return sendReview({ category, entryId }, draft, session);
  await request(reviewCalls(category).update, { body: { id: editing.id, ...reviewBody(draft, session) } });
  return undefined;
}

/** What a login is for: "post your review of Chess Club". */
function useLoginTo({ entryName, editing }: ReviewFormProps): string {
  // When a session ends, the cache is emptied: the name is then unknown until it is read again.
  const [lastName = 'this', setLastName] = useState(entryName);
  if (entryName !== undefined && entryName !== lastName) setLastName(entryName);
  return editing ? `save your changes to your review of ${lastName}` : `post your review of ${lastName}`;
}

/** Writes a new review or edits one's own. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, entryId, editing, takesFocus = false, isSettled = true, onDone } = props;
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [hasReturned, setHasReturned] = useState(false);
  // What was saved stays in the form until the review is read again.
  const [saved, setSaved] = useState<Draft>();
  const draft = useDraft(reviewFormName(editing), editing ? (saved ?? draftOf(editing)) : EMPTY_DRAFT);
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: useLoginTo(props),
    read: () => draft.values,
    check: findProblems,
    send: async (values) => {
      const posted = await send(props, values, session);
      setSaved(values);
      return posted;
    },
    onSent: async (posted) => {
      notify.success(editing ? 'Review updated!' : 'Review submitted successfully!');
      if (editing) forgetReviewPage(editing.id);
      await (posted ? readAfterPost(category, entryId, posted) : readAgain(category));
      onDone(posted);
    },
    onFailure: (error) => {
      // The user has posted a review already: reading again shows it with its Edit button.
      if (hasStatus(error, 409)) void readAgain(category);
    },
    failureOf: (error) => actionFailureText(error, 'The review was not saved.'),
    keepsFocus: true,
  });

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus();
  }, [takesFocus]);

  function cancel(): void {
    draft.discard();
    onDone();
  }

  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <DraftNote draft={draft} isSettled={isSettled} onReturn={() => setHasReturned(true)} />
      <ReviewFields
        category={category}
        draft={draft.values}
        editing={editing}
        onChange={draft.change}
        problemOf={problem.errorOf}
      />
      {problem.errorOf() && <p className="text-sm font-semibold text-danger">{problem.errorOf()}</p>}
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
