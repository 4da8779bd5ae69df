import { useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import { type OwnReview, readBackground, reviewCalls, typeBackground } from '../../../contract/reviews.ts';
import { CallError, notDoneText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { type Session, useOwner, useSession } from '../../session.ts';
import { consumeReturn, setReturnPath } from '../../shared/accounts/return-path.ts';
import {
  type Draft,
  deleteDraft,
  EMPTY_DRAFT,
  findProblems,
  readDraft,
  saveDraft,
} from '../../shared/reviews/drafts.ts';
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

/** The key of a draft: one for a new review of the entry, one for each review that is edited. */
export function draftKey(pathname: string, editing: OwnReview | undefined): string {
  return editing ? `${pathname} ${editing.id}` : pathname;
}

const isBegun = ({ rating, review }: Draft) => rating > 0 && review.trim() !== '';

const hasStatus = (error: Error, status: number) => error instanceof CallError && error.status === status;

/** Tells the user why the button is disabled. */
function whyNot({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

/** Sends the review, and reads what it changes. @param onSaved called in between */
async function send(
  { category, entryId, editing }: ReviewFormProps,
  draft: Draft,
  session: Session,
  onSaved: () => void,
): Promise<void> {
  const { post, update } = reviewCalls(category);
  const { rating, review } = draft;
  const username = draft.isAnonymous ? undefined : session.username;
  const written = { username, rating, review, ...readBackground(draft) };
  if (editing) {
    await request(update, { body: { id: editing.id, ...written } });
    onSaved();
    return readAgain(category);
  }
  const body = { [category.itemKey]: { id: entryId }, userId: session.userId, ...written };
  const own = await request(post, { body });
  onSaved();
  return readAfterPost(category, entryId, own);
}

/** @returns a function that opens the login page, from which the user returns to this form */
function useWayToLogin({ category, editing }: ReviewFormProps): () => void {
  const navigate = useNavigate();
  const owner = useOwner();
  const { pathname, search } = useLocation();
  const { name } = useEntry(category);
  // When a session ends, the cache is emptied: the name is then unknown until it is read again.
  const [lastName = 'this', setLastName] = useState(name);
  if (name !== undefined && name !== lastName) setLastName(name);
  return () => {
    // The user has opened another page meanwhile: do not navigate away from it.
    if (location.pathname !== pathname) return;
    const why = editing ? `save your changes to your review of ${lastName}` : `post your review of ${lastName}`;
    setReturnPath(pathname + search, owner, `Log in to ${why}. What you wrote is kept.`);
    void navigate(PAGES.login.path);
  };
}

/**
 * Whether the user has just come back from logging in. The form is then scrolled into view and its button takes the
 * focus.
 */
function useArrival(form: React.RefObject<HTMLFormElement | null>, { category, entryId, editing }: ReviewFormProps) {
  const { pathname, search } = useLocation();
  const ownReview = useOwnReview(category, entryId);
  const isListPending = useReviews(category).isPending;
  // Before that the form could still move, or be replaced by a review that the user has posted already.
  const isSettled = (ownReview === null || editing !== undefined) && !isListPending;
  const [hasArrived, setHasArrived] = useState(false);

  useEffect(() => {
    if (isSettled && consumeReturn(pathname + search)) setHasArrived(true);
  }, [isSettled, pathname, search]);

  useEffect(() => {
    if (!hasArrived) return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus({ preventScroll: true });
  }, [hasArrived, form]);

  return hasArrived;
}

/** The draft of the form. It is stored at every change, and survives the way to the login page and back. */
function useDraft(key: string, editing: OwnReview | undefined) {
  const owner = useOwner();
  const [draft, setDraft] = useState(() => readDraft(owner, key) ?? (editing ? draftOf(editing) : EMPTY_DRAFT));
  return {
    draft,
    change(part: Partial<Draft>): void {
      const changed = { ...draft, ...part };
      setDraft(changed);
      saveDraft(owner, key, changed);
    },
    drop: () => deleteDraft(owner, key),
    clear: () => setDraft(EMPTY_DRAFT),
  };
}

/** Writes a new review or edits one's own. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, editing, takesFocus = false, onDone } = props;
  const session = useSession();
  const form = useRef<HTMLFormElement>(null);
  const hasArrived = useArrival(form, props);
  const goToLogin = useWayToLogin(props);
  const { draft, change, drop, clear } = useDraft(draftKey(useLocation().pathname, editing), editing);
  const { onSubmit, problem, isPending } = useForm({
    read: () => draft,
    check: findProblems,
    send: async (written) => {
      if (!session) return goToLogin();
      await send(props, written, session, () => {
        notify.success(editing ? 'Review updated!' : 'Review submitted successfully!');
        drop();
        if (!editing) clear();
      });
      onDone();
    },
    onFailure: (error) => {
      // The token was invalid and the session has ended. The draft is stored.
      if (hasStatus(error, 401)) goToLogin();
      // The user has posted one already: reading again shows it with its Edit button.
      if (hasStatus(error, 409)) void readAgain(category);
    },
    failureOf: (error) => (hasStatus(error, 401) ? undefined : notDoneText(error, 'The review was not saved.')),
    keepsFocus: true,
  });

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus();
  }, [takesFocus]);

  function cancel(): void {
    drop();
    onDone();
  }

  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit} className="grid gap-4">
      <ReviewFields
        category={category}
        draft={draft}
        standsSigned={editing?.username !== undefined}
        onChange={(part) => {
          change(part);
          problem.clear();
        }}
        problemOf={problem.of}
      />
      {problem.of() && <p className="text-sm font-semibold text-danger">{problem.of()}</p>}
      <SubmitRow
        whyDisabled={category.submitAlwaysEnabled || isBegun(draft) ? null : whyNot(draft)}
        isReady={hasArrived}
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
        {whyDisabled} {!session && 'You need a free account to post. What you write is kept while you sign up.'}
      </p>
    </div>
  );
}
