import { useEffect, useId, useRef, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type OwnReview, readBackground, reviewCalls, typeBackground } from '../../../contract/reviews.ts';
import { CallError, notDoneText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { DraftNote } from '../../components/form/draft-note.tsx';
import { useDraft } from '../../draft.ts';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { type Session, useSession } from '../../session.ts';
import { type Draft, EMPTY_DRAFT, findProblems } from '../../shared/reviews/drafts.ts';
import { readAfterPost, readAgain, useEntry, useOwnReview, useReviews } from '../../shared/reviews/reading.ts';
import { ReviewFields } from '../../shared/reviews/review-fields.tsx';

interface ReviewFormProps {
  category: Category;
  entryId: number;
  /** The review to edit. Default: the form writes a new one. */
  editing?: OwnReview;
  takesFocus?: boolean;
  /** Called after saving or cancelling. */
  onDone: () => void;
}

function draftOf(own: OwnReview): Draft {
  const { rating, review, username } = own;
  return { rating, review, isAnonymous: username === undefined, ...typeBackground(own) };
}

/** Names the form: one for a new review of the entry, one for each review that is edited. */
export const formOf = (editing: OwnReview | undefined) => (editing ? `edit ${editing.id}` : 'review');

const isBegun = ({ rating, review }: Draft) => rating > 0 && review.trim() !== '';

const hasStatus = (error: Error, status: number) => error instanceof CallError && error.status === status;

/** Tells the user why the button is disabled. */
function whyNot({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

/** Sends the review. @returns the user's own review, of which an edit says nothing */
function send({ category, entryId, editing }: ReviewFormProps, draft: Draft, session: Session | null) {
  const { post, update } = reviewCalls(category);
  const { rating, review } = draft;
  const username = draft.isAnonymous ? undefined : session?.username;
  const written = { username, rating, review, ...readBackground(draft) };
  if (editing) return request(update, { body: { id: editing.id, ...written } });
  return request(post, { body: { [category.itemKey]: { id: entryId }, userId: session?.userId, ...written } });
}

/** What a login is for. */
function useLoginTo({ category, editing }: ReviewFormProps): string {
  const { name } = useEntry(category);
  // When a session ends, the cache is emptied: the name is then unknown until it is read again.
  const [lastName = 'this', setLastName] = useState(name);
  if (name !== undefined && name !== lastName) setLastName(name);
  return editing ? `save your changes to your review of ${lastName}` : `post your review of ${lastName}`;
}

/** Whether the form stays where it is, and is not replaced by a review that the user has posted already. */
function useIsSettled({ category, entryId, editing }: ReviewFormProps): boolean {
  const ownReview = useOwnReview(category, entryId);
  const isListPending = useReviews(category).isPending;
  return (ownReview === null || editing !== undefined) && !isListPending;
}

/** Writes a new review or edits one's own. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, entryId, editing, takesFocus = false, onDone } = props;
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const [hasReturned, setHasReturned] = useState(false);
  const isSettled = useIsSettled(props);
  // What was saved stays in the form until the review is read again.
  const [saved, setSaved] = useState<Draft>();
  const draft = useDraft(formOf(editing), editing ? (saved ?? draftOf(editing)) : EMPTY_DRAFT);
  const { onSubmit, problem, isPending } = useForm({
    draft,
    loginTo: useLoginTo(props),
    read: () => draft.values,
    check: findProblems,
    send: async (written) => {
      const own = await send(props, written, session);
      setSaved(written);
      return own;
    },
    onSent: async (own) => {
      notify.success(editing ? 'Review updated!' : 'Review submitted successfully!');
      await (editing ? readAgain(category) : readAfterPost(category, entryId, own));
      onDone();
    },
    onFailure: (error) => {
      // The user has posted one already: reading again shows it with its Edit button.
      if (hasStatus(error, 409)) void readAgain(category);
    },
    failureOf: (error) => notDoneText(error, 'The review was not saved.'),
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
        standsSigned={editing?.username !== undefined}
        helpful={editing?.helpful ?? 0}
        onChange={draft.change}
        problemOf={problem.of}
      />
      {problem.of() && <p className="text-sm font-semibold text-danger">{problem.of()}</p>}
      <SubmitRow
        whyDisabled={category.submitAlwaysEnabled || isBegun(draft.values) ? null : whyNot(draft.values)}
        isReady={hasReturned}
        isPending={isPending}
        onCancel={editing && cancel}
      />
    </form>
  );
}

interface SubmitRowProps {
  whyDisabled: string | null;
  /** Tells a user who has just logged in that the review can be posted now. */
  isReady: boolean;
  isPending: boolean;
  /** Cancels an edit. Undefined for a new review. */
  onCancel: (() => void) | undefined;
}

/** The buttons of the form, and a text that says why it cannot be sent yet. */
function SubmitRow({ whyDisabled, isReady, isPending, onCancel }: SubmitRowProps) {
  const session = useSession();
  const id = useId();
  const isDisabled = whyDisabled !== null;
  const saysReady = isReady && !isDisabled;
  return (
    <div className="grid gap-2">
      {saysReady && (
        <p id={`${id}-ready`} className="font-semibold">
          {onCancel ? 'Your changes are ready to save.' : 'Your review is ready to post.'}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          className="grow"
          disabled={isDisabled}
          isPending={isPending}
          aria-describedby={saysReady ? `${id}-ready` : `${id}-why`}
        >
          {onCancel ? 'Save changes' : 'Submit Review'}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
      <p id={`${id}-why`} className="text-sm text-ink-soft">
        {whyDisabled && <span>{whyDisabled} </span>}
        {!session && <span>You need a free account to post. What you write is kept while you sign up.</span>}
      </p>
    </div>
  );
}
