import type { ReactNode } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { OwnReview, PostedReview } from '../../../contract/reviews.ts';
import { useActionKey } from '../../begun.ts';
import { useDraft } from '../../draft.ts';
import { useOwner } from '../../session.ts';
import { EMPTY_DRAFT } from '../../shared/reviews/drafts.ts';
import { useKept } from '../../tab-memory.ts';
import { ReviewForm, reviewFormName } from './review-form.tsx';
import { useReplaced } from './second-review.tsx';

interface WritingProps {
  category: Category;
  entryId: number;
  /** Undefined while it is loading. */
  entryName: string | undefined;
  /** The user's review; null if there is none, undefined while that is unknown. */
  own: OwnReview | null | undefined;
  /** False while the list beside the form is loading, which moves the form. */
  isSettled: boolean;
  /** Whether the user has chosen to edit. Undefined: the form opens if there is an unfinished draft of an edit. */
  wantsEdit: boolean | undefined;
  /** Called after saving or cancelling, with the review that was posted. */
  onDone: (posted?: PostedReview) => void;
  /** Called when the review that was edited is gone, and a new one is in the form. */
  onGone: () => void;
  /** Stands in place of the form when there is nothing to write. */
  children: ReactNode;
}

/** The form of an entry's page: for a new review, or for the user's own. */
export function Writing(props: WritingProps) {
  const { category, entryId, entryName, own, isSettled, wantsEdit, onDone, onGone, children } = props;
  const newDraft = useDraft(reviewFormName(undefined), EMPTY_DRAFT);
  const { replaced, endReplacing } = useReplaced(own, newDraft);
  const hasBegunEdit = useKept(useOwner(), useActionKey(reviewFormName(own ?? undefined))) !== undefined;
  const form = {
    category,
    entryId,
    entryName,
    takesFocus: wantsEdit === true,
    onDone: (posted?: PostedReview) => {
      endReplacing();
      onDone(posted);
    },
    onGone: (written: typeof EMPTY_DRAFT) => {
      newDraft.change(written);
      onGone();
    },
  };
  // One form for both, so that what is being typed stays in it when the user's review becomes known.
  if (!own || replaced)
    return (
      <ReviewForm
        key={`review ${entryId}`}
        {...form}
        editing={replaced}
        isReplacing={replaced !== undefined}
        isSettled={own !== undefined && isSettled}
      />
    );
  if (wantsEdit ?? hasBegunEdit)
    // The key differs from that of the form above, even if entry and review have the same id.
    return <ReviewForm key={reviewFormName(own)} {...form} editing={own} isSettled={isSettled} />;
  return children;
}
