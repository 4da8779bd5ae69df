import { useId } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { Button } from '../../components/form/button.tsx';
import { useSession } from '../../session.ts';
import type { Draft } from '../../shared/reviews/drafts.ts';

const isWritten = ({ rating, review }: Draft) => rating > 0 && review.trim() !== '';

/** Tells the user why the button is disabled. */
function disabledReason({ rating, review }: Draft): string {
  if (rating > 0) return 'Write a few words first.';
  return review.trim() === '' ? 'Choose a rating and write a few words first.' : 'Choose a rating first.';
}

interface SubmitRowProps {
  category: Category;
  draft: Draft;
  /** Tells a user who has just logged in that the review can be posted now. */
  isReady: boolean;
  isPending: boolean;
  /** Cancels an edit. Undefined for a new review. */
  onCancel?: (() => void) | undefined;
}

/** The buttons of the form, and a text that says why it cannot be sent yet. */
export function SubmitRow({ category, draft, isReady, isPending, onCancel }: SubmitRowProps) {
  const session = useSession();
  const id = useId();
  const whyDisabled = category.submitAlwaysEnabled || isWritten(draft) ? null : disabledReason(draft);
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
