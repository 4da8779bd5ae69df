import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { PAGES } from '../../../contract/pages.ts';
import {
  findYearProblem,
  type OwnReview,
  REVIEW_MAX,
  readBackground,
  reviewCalls,
  typeBackground,
} from '../../../contract/reviews.ts';
import { CallError, notDoneText, refusedField, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { TextArea } from '../../components/text-area.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { type Session, useOwner, useSession } from '../../session.ts';
import { rememberReturnPlace, takeArrival } from '../accounts/return-place.ts';
import { type Draft, dropDraft, EMPTY_DRAFT, keepDraft, readDraft } from './drafts.ts';
import { ExperienceFields } from './experience-fields.tsx';
import { readAgain, useEntry, useOwnReview, useReviews } from './reading.ts';
import { StarInput } from './star-input.tsx';

/** From so many characters on the form says how many are left. */
const COUNTED_FROM = REVIEW_MAX - 500;

const HINT = 'What would you tell a friend who is thinking of going?';

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

function draftOf(own: OwnReview): Draft {
  const { rating, review, username } = own;
  return { rating, review, isAnonymous: username === undefined, ...typeBackground(own) };
}

/** Which form a draft was typed into: that of a new review, or that of the review it corrects. */
export function draftPlace(pathname: string, editing: OwnReview | undefined): string {
  return editing ? `${pathname} ${editing.id}` : pathname;
}

/** What is missing, in the order of the form. */
function missing({ rating, review }: Draft): 'rating' | 'review' | undefined {
  if (rating === 0) return 'rating';
  return review.trim() === '' ? 'review' : undefined;
}

/** Why the button is disabled. */
function whyNot({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

/** How the author will be named, said where it is decided. */
function shownAs({ isAnonymous }: Draft, session: Session | null): ReactNode {
  if (isAnonymous) return 'Shown as Anonymous. Readers and your school cannot see that it was you.';
  if (!session) return 'Shown with your username.';
  return (
    <>
      Shown as <bdi>{session.username}</bdi>.
    </>
  );
}

async function send({ category, entryId, editing }: ReviewFormProps, draft: Draft, session: Session): Promise<unknown> {
  const { post, update } = reviewCalls(category);
  const { rating, review } = draft;
  const username = draft.isAnonymous ? undefined : session.username;
  const written = { username, rating, review, ...readBackground(draft) };
  if (editing) return request(update, { body: { id: editing.id, ...written } });
  return request(post, { body: { [category.itemKey]: { id: entryId }, userId: session.userId, ...written } });
}

/** Writes a review, or corrects one's own. What is typed outlives a way to the login page and back. */
export function ReviewForm(props: ReviewFormProps) {
  const { category, editing, takesFocus = false, onDone } = props;
  const session = useSession();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const owner = useOwner();
  const { name = 'this' } = useEntry(category);
  const place = draftPlace(pathname, editing);
  const ownReview = useOwnReview(category, props.entryId);
  const isListPending = useReviews(category).isPending;
  const isSettled = (ownReview === null || editing !== undefined) && !isListPending;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [hasArrived, setHasArrived] = useState(false);
  const [draft, setDraft] = useState(() => readDraft(owner, place) ?? (editing ? draftOf(editing) : EMPTY_DRAFT));
  const [problem, setProblem] = useState<{ field?: string | undefined; text: string } | null>(null);
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

  // Once the page stands: before that the form moves, or gives way to the review that is there already.
  useEffect(() => {
    if (isSettled && takeArrival(pathname + search)) setHasArrived(true);
  }, [isSettled, pathname, search]);

  useEffect(() => {
    if (!hasArrived) return;
    form.current?.scrollIntoView({ block: 'center' });
    form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus({ preventScroll: true });
  }, [hasArrived]);

  function change(part: Partial<Draft>): void {
    const changed = { ...draft, ...part };
    setDraft(changed);
    keepDraft(owner, place, changed);
    setProblem(null);
  }

  function goToLogin(): void {
    // Who has gone on to another page meanwhile stays there.
    if (location.pathname !== pathname) return;
    const why = editing ? `save your changes to your review of ${name}` : `post your review of ${name}`;
    rememberReturnPlace(pathname + search, owner, `Log in to ${why}. What you wrote is kept.`);
    void navigate(PAGES.login.path);
  }

  function cancel(): void {
    dropDraft(owner, place);
    onDone();
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const lacking = missing(draft);
    if (lacking) {
      const text = lacking === 'rating' ? 'Please choose a rating.' : 'Please write your review.';
      setProblem({ field: lacking, text });
      return;
    }
    const wrongYear = findYearProblem(readBackground(draft), new Date().getUTCFullYear());
    if (wrongYear) {
      setProblem({ field: wrongYear.field, text: wrongYear.sentence });
      return;
    }
    if (session) save.mutate(session);
    else goToLogin();
  }

  const isDisabled = !category.submitAlwaysEnabled && missing(draft) !== undefined;
  const isBesideField = problem?.field !== undefined && problem.field in draft;
  const problemOf = (field: keyof Draft) => (problem?.field === field ? problem.text : null);
  const left = REVIEW_MAX - draft.review.length;
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-4">
      <StarInput value={draft.rating} onChange={(rating) => change({ rating })} error={problemOf('rating')} />
      <TextArea
        label="Your review"
        name="review"
        dir="auto"
        rows={5}
        maxLength={REVIEW_MAX}
        required={category.requiresReviewText}
        value={draft.review}
        onChange={(event) => change({ review: event.target.value })}
        help={draft.review.length >= COUNTED_FROM ? `${left} characters left` : HINT}
        error={problemOf('review')}
      />
      <div>
        <Checkbox
          label="Post anonymously"
          checked={draft.isAnonymous}
          aria-describedby={`${id}-name`}
          onChange={(event) => change({ isAnonymous: event.target.checked })}
        />
        <p id={`${id}-name`} className="pl-8 text-sm text-ink-soft">
          {shownAs(draft, session)}
        </p>
      </div>
      <ExperienceFields draft={draft} onChange={change} problemOf={problemOf} />
      {problem && !isBesideField && <p className="text-sm font-semibold text-danger">{problem.text}</p>}
      <div className="grid gap-2">
        {hasArrived && !isDisabled && (
          <p id={`${id}-ready`} className="font-semibold">
            {editing ? 'Your changes are ready to save.' : 'Your review is ready to post.'}
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          <Button
            type="submit"
            className="grow"
            disabled={isDisabled}
            isPending={save.isPending}
            aria-describedby={hasArrived && !isDisabled ? `${id}-ready` : `${id}-why`}
          >
            {editing ? 'Save changes' : 'Submit Review'}
          </Button>
          {editing && (
            <Button variant="quiet" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
        <p id={`${id}-why`} className="text-sm text-ink-soft">
          {isDisabled && whyNot(draft)}{' '}
          {!session && 'You need a free account to post. What you write is kept while you sign up.'}
        </p>
      </div>
    </form>
  );
}
