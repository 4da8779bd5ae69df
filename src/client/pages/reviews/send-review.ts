import type { Category } from '../../../contract/categories.ts';
import { backgroundOfInputs, type OwnReview, type PostedReview, reviewCalls } from '../../../contract/reviews.ts';
import { actionFailureText, CallError, request } from '../../api.ts';
import { notify } from '../../notices.ts';
import type { Session } from '../../session.ts';
import { type Draft, isStored } from '../../shared/reviews/drafts.ts';
import { forgetReviewPage, refetchAfterPost, refetchReviews } from '../../shared/reviews/reading.ts';

/** What a form sends: a new review of an entry, or an edit of one. */
export interface ReviewTarget {
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

/** What both calls send: the review, with its author's name unless it is anonymous. */
function reviewBody(draft: Draft, session: Session | null) {
  const { rating, review, isAnonymous } = draft;
  return { username: isAnonymous ? undefined : session?.username, rating, review, ...backgroundOfInputs(draft) };
}

/** Whether an answer to a post is the review, and not the text or the empty object that the specification allows too. */
const isWhole = (answer: Partial<PostedReview> | string | null | undefined): answer is PostedReview =>
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
    return isWhole(answer) ? answer : undefined;
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
