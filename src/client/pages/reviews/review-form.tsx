import { useEffect, useId, useRef, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { backgroundOfInputs, type OwnReview, type PostedReview, reviewCalls } from '../../../contract/reviews.ts';
import { actionFailureText, CallError, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { FieldError } from '../../components/form/fields.tsx';
import { DraftNote, useDraft } from '../../draft.tsx';
import { type FormProblem, useForm } from '../../form.ts';
import { notify } from '../../notices.ts';
import { type Session, useSession } from '../../session.ts';
import { type Draft, draftOf, EMPTY_DRAFT, findProblems, isStored } from '../../shared/reviews/drafts.ts';
import { forgetReviewPage, refetchAfterPost, refetchAsDeleted, refetchReviews } from '../../shared/reviews/reading.ts';
import { ReviewFields, type ReviewFieldsProps } from '../../shared/reviews/review-fields.tsx';
import { ReplacingNote } from './second-review.tsx';

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

/** The purpose of a login: "post your review of Chess Club". */
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
  // The saved values stay in the form until the review is read again.
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
      <ReviewInputs
        category={category}
        draft={draft.values}
        editing={editing}
        onChange={draft.change}
        problem={problem}
        hidesRefusal={isReplacing && wasRefused}
        isReady={hasReturned}
        isPending={isPending}
        onCancel={editing && cancel}
      />
    </form>
  );
}

const isWritten = ({ rating, review }: Draft) => rating > 0 && review.trim() !== '';

/** Tells the user why the button is disabled. */
function disabledReason({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

interface ReviewInputsProps extends Pick<ReviewFieldsProps, 'category' | 'draft' | 'editing' | 'onChange'> {
  problem: FormProblem;
  /** Once the form replaces the first review, the refusal of a second one no longer applies. */
  hidesRefusal: boolean;
  /** Tells a user who has just logged in that the review can be posted now. */
  isReady: boolean;
  isPending: boolean;
  /** Cancels an edit. Undefined for a new review. */
  onCancel?: (() => void) | undefined;
}

/** The fields of a review with their buttons, and a text that says why it cannot be sent yet. */
export function ReviewInputs(props: ReviewInputsProps) {
  const { problem, hidesRefusal, isReady, isPending, onCancel, ...fields } = props;
  const { category, draft } = fields;
  const session = useSession();
  const id = useId();
  const whyDisabled = category.submitAlwaysEnabled || isWritten(draft) ? null : disabledReason(draft);
  const isDisabled = whyDisabled !== null;
  const saysReady = isReady && !isDisabled;
  return (
    <>
      <ReviewFields {...fields} problemOf={problem.errorOf} />
      <FieldError>{hidesRefusal ? null : problem.errorOf()}</FieldError>
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
    </>
  );
}

/** The target of a form: a new review of an entry, or an edit of one. */
interface ReviewTarget {
  readonly category: Category;
  readonly entryId: number;
  /** The review to edit. Default: a new one. */
  readonly editing?: OwnReview | undefined;
}

/** Whether the server answered a call with this status. */
const hasStatus = (error: unknown, status: number) => error instanceof CallError && error.status === status;

/** Whether a post was refused because the user's review, or an entry of this name, exists already. */
export const isDuplicate = (error: Error) => hasStatus(error, 409);

/** Whether an edit was refused because the review is no longer there. */
export const isGone = (error: Error, { editing }: Pick<ReviewTarget, 'editing'>) => !!editing && hasStatus(error, 404);

/** The text for a review that was not saved. */
export function reviewFailureText(error: Error, subject: Pick<ReviewTarget, 'editing'>): string {
  return isGone(error, subject)
    ? 'Your review was deleted meanwhile. What you wrote is in the form below.'
    : actionFailureText(error, 'The review was not saved.');
}

/** The part of the body that both calls share: the review, with its author's name unless it is anonymous. */
function reviewBody(draft: Draft, session: Session | null) {
  const { rating, review, isAnonymous } = draft;
  return { username: isAnonymous ? undefined : session?.username, rating, review, ...backgroundOfInputs(draft) };
}

/** Whether an answer to a post is the review, and not the text or the empty object that the specification allows too. */
const isPostedReview = (answer: Partial<PostedReview> | string | null | undefined): answer is PostedReview =>
  typeof answer === 'object' && answer !== null && 'createdAt' in answer;

/** Whether the user's stored review of the entry is this one. */
async function isPosted({ category, entryId }: ReviewTarget, draft: Draft): Promise<boolean> {
  const own = await request(reviewCalls(category).mine, { params: { id: entryId } });
  return own !== null && isStored(own, draft);
}

/**
 * Sends a review.
 * @returns the one that was posted; undefined after an edit, if the answer does not contain it, or if an earlier request
 * whose answer was lost had posted it
 */
export async function sendReview(
  subject: ReviewTarget,
  draft: Draft,
  session: Session | null,
): Promise<PostedReview | undefined> {
  const { category, entryId, editing } = subject;
  const { post, update } = reviewCalls(category);
  if (editing) {
    await request(update, { body: { id: editing.id, ...reviewBody(draft, session) } });
    return undefined;
  }
  const body = { [category.itemKey]: { id: entryId }, userId: session?.userId, ...reviewBody(draft, session) };
  try {
    const answer = await request(post, { body });
    return isPostedReview(answer) ? answer : undefined;
  } catch (error) {
    // A failed look-up leaves the refusal of the post, about which the user can do something.
    if (hasStatus(error, 409) && (await isPosted(subject, draft).catch(() => false))) return undefined;
    throw error;
  }
}

/** Says that a review was sent, and reads again what it changes. @param posted the answer of `sendReview` */
export async function showSent({ category, entryId, editing }: ReviewTarget, posted: PostedReview | undefined) {
  notify.success(editing ? 'Review updated!' : 'Review submitted successfully!');
  if (editing) forgetReviewPage(editing.id);
  await (posted ? refetchAfterPost(category, entryId, posted) : refetchReviews(category));
}
