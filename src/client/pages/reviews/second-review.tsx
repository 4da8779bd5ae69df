import { useEffect, useState } from 'react';
import type { OwnReview } from '../../../contract/reviews.ts';
import { takeFocus } from '../../form.ts';
import { type Draft, isBegun, isStored } from '../../shared/reviews/drafts.ts';

// An author can write a review of an entry that they have reviewed already: before they log in, in another tab, or when
// the answer to their first post was lost. The second one stays in the form, and replaces the first when saved.

interface NewDraft {
  readonly values: Draft;
  discard(): void;
}

/**
 * Finds out whether the draft of a new review is a second one.
 * @param own the user's review; null if there is none, undefined while that is unknown
 * @returns the review to replace, and a function that ends the replacing once it is saved or cancelled
 */
export function useReplaced(own: OwnReview | null | undefined, { values, discard }: NewDraft) {
  const [replacedId, setReplacedId] = useState<number>();
  const isPosted = !!own && isStored(own, values);
  // A form that replaces a review goes on doing so, whatever is typed into it.
  const replaced = own && (own.id === replacedId || (isBegun(values) && !isPosted)) ? own : undefined;
  if (replaced?.id !== replacedId) setReplacedId(replaced?.id);
  const isLeftOver = isPosted && !replaced;
  useEffect(() => {
    if (isLeftOver) discard();
  });
  return { replaced, endReplacing: () => setReplacedId(undefined) };
}

interface ReplacingNoteProps {
  isShown: boolean;
  /** Whether the author has just tried to post the second review. */
  takesFocus: boolean;
}

/** Says in the form what saving does. */
export function ReplacingNote({ isShown, takesFocus }: ReplacingNoteProps) {
  return (
    // Rendered before it has a text, so that screen readers announce the text.
    <div role="status" className={isShown ? undefined : 'hidden'}>
      {isShown && (
        <p ref={takesFocus ? takeFocus : undefined} tabIndex={-1} className="border-l-4 border-accent pl-3">
          You have reviewed this already. What you just wrote is below; saving replaces your review.
        </p>
      )}
    </div>
  );
}
