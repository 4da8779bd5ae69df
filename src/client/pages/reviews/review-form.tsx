import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import {
  findYearProblem,
  type OwnReview,
  readBackground,
  reviewCalls,
  typeBackground,
} from '../../../contract/reviews.ts';
import { CallError, notDoneText, refusedField, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { type Session, useOwner, useSession } from '../../session.ts';
import { rememberReturnPlace, takeArrival } from '../accounts/return-place.ts';
import { type Draft, dropDraft, EMPTY_DRAFT, keepDraft, readDraft } from './drafts.ts';
import { readAgain, useEntry, useOwnReview, useReviews } from './reading.ts';
import { ReviewFields } from './review-fields.tsx';

interface ReviewFormProps {
  category: Category;
  entryId: number;
  /** The review to correct; without it a new one is written. */
  editing?: OwnReview;
  /** Puts the focus on the first field. */
  takesFocus?: boolean;
  /** Saved, or given up. */
  onDone: () => void;
}

/** What is wrong with a review, and with which of its fields. */
interface Problem {
  field?: string | undefined;
  text: string;
}

function draftOf(own: OwnReview): Draft {
  const { rating, review, username } = own;
  return { rating, review, isAnonymous: username === undefined, ...typeBackground(own) };
}

/** Which form a draft was typed into: that of a new review, or that of the review it corrects. */
export function draftPlace(pathname: string, editing: OwnReview | undefined): string {
  return editing ? `${pathname} ${editing.id}` : pathname;
}

const isBegun = ({ rating, review }: Draft) => rating > 0 && review.trim() !== '';

/** The first thing that is wrong, in the order of the form. */
function findProblem(draft: Draft): Problem | null {
  if (draft.rating === 0) return { field: 'rating', text: 'Please choose a rating.' };
  if (!isBegun(draft)) return { field: 'review', text: 'Please write your review.' };
  const wrongYear = findYearProblem(readBackground(draft), new Date().getUTCFullYear());
  return wrongYear ? { field: wrongYear.field, text: wrongYear.sentence } : null;
}

/** Why the button is disabled. */
function whyNot({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

async function send({ category, entryId, editing }: ReviewFormProps, draft: Draft, session: Session): Promise<unknown> {
  const { post, update } = reviewCalls(category);
  const { rating, review } = draft;
  const username = draft.isAnonymous ? undefined : session.username;
  const written = { username, rating, review, ...readBackground(draft) };
  if (editing) return request(update, { body: { id: editing.id, ...written } });
  return request(post, { body: { [category.itemKey]: { id: entryId }, userId: session.userId, ...written } });
}

/** @returns leads to the login page, and afterwards back to this form */
function useWayToLogin({ category, editing }: ReviewFormProps): () => void {
  const navigate = useNavigate();
  const owner = useOwner();
  const { pathname, search } = useLocation();
  const { name = 'this' } = useEntry(category);
  return () => {
    // Who has gone on to another page meanwhile stays there.
    if (location.pathname !== pathname) return;
    const why = editing ? `save your changes to your review of ${name}` : `post your review of ${name}`;
    rememberReturnPlace(pathname + search, owner, `Log in to ${why}. What you wrote is kept.`);
    void navigate(PAGES.login.path);
  };
}

/** Whether somebody has come back from logging in; the form is then brought into sight, with the focus on its button. */
function useArrival(form: React.RefObject<HTMLFormElement | null>, { category, entryId, editing }: ReviewFormProps) {
  const { pathname, search } = useLocation();
  const ownReview = useOwnReview(category, entryId);
  const isListPending = useReviews(category).isPending;
  // Before that the form moves, or gives way to the review that is there already.
  const isSettled = (ownReview === null || editing !== undefined) && !isListPending;
  const [hasArrived, setHasArrived] = useState(false);

  useEffect(() => {
    if (isSettled && takeArrival(pathname + search)) setHasArrived(true);
  }, [isSettled, pathname, search]);

  useEffect(() => {
    if (!hasArrived) return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus({ preventScroll: true });
  }, [hasArrived, form]);

  return hasArrived;
}

/** Writes a review, or corrects one's own. What is typed outlives a way to the login page and back. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, editing, takesFocus = false, onDone } = props;
  const session = useSession();
  const owner = useOwner();
  const place = draftPlace(useLocation().pathname, editing);
  const form = useRef<HTMLFormElement>(null);
  const hasArrived = useArrival(form, props);
  const goToLogin = useWayToLogin(props);
  const [draft, setDraft] = useState(() => readDraft(owner, place) ?? (editing ? draftOf(editing) : EMPTY_DRAFT));
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = useGuardedMutation({
    mutationFn: (signedIn: Session) => send(props, draft, signedIn),
    // Not beside mutate(), where they would be lost with the form: a dead token takes the form of a correction away.
    onSuccess: async () => {
      notify.success(editing ? 'Review updated!' : 'Review submitted successfully!');
      dropDraft(owner, place);
      if (!editing) setDraft(EMPTY_DRAFT);
      await readAgain(category);
      onDone();
    },
    onError: async (error) => {
      // A dead token has signed out and said so; what was typed waits here.
      if (error instanceof CallError && error.status === 401) return goToLogin();
      const text = notDoneText(error, 'The review was not saved.');
      setProblem({ field: refusedField(error), text });
      notify.failure(text);
      // There is one already: reading again brings it, with its Edit.
      if (error instanceof CallError && error.status === 409) await readAgain(category);
    },
  });

  useEffect(() => {
    if (takesFocus) form.current?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus();
  }, [takesFocus]);

  function change(part: Partial<Draft>): void {
    const changed = { ...draft, ...part };
    setDraft(changed);
    keepDraft(owner, place, changed);
    setProblem(null);
  }

  function cancel(): void {
    dropDraft(owner, place);
    onDone();
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const found = findProblem(draft);
    if (found) setProblem(found);
    else if (session) save.mutate(session);
    else goToLogin();
  }

  const isBesideField = problem?.field !== undefined && problem.field in draft;
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-4">
      <ReviewFields
        category={category}
        draft={draft}
        onChange={change}
        problemOf={(field) => (problem?.field === field ? problem.text : null)}
      />
      {problem && !isBesideField && <p className="text-sm font-semibold text-danger">{problem.text}</p>}
      <SubmitRow
        whyDisabled={category.submitAlwaysEnabled || isBegun(draft) ? null : whyNot(draft)}
        isReady={hasArrived}
        isPending={save.isPending}
        onCancel={editing && cancel}
      />
    </form>
  );
}

interface SubmitRowProps {
  whyDisabled: string | null;
  /** Says that nothing is missing any more: to somebody who has just logged in. */
  isReady: boolean;
  isPending: boolean;
  /** Gives up a correction; without it a new review is written. */
  onCancel: (() => void) | undefined;
}

/** The buttons of the form, and what stands between the author and the review's being there. */
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
