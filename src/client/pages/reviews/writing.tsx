import { type ReactNode, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { OwnReview, PostedReview } from '../../../contract/reviews.ts';
import { useDraft, useHasDraft } from '../../draft.tsx';
import { EMPTY_DRAFT } from '../../shared/reviews/drafts.ts';
import { ReviewForm, reviewFormName } from './review-form.tsx';
import { useReplaced } from './second-review.tsx';

/**
 * Whether the form that edits the user's review is open: because its button was pressed, or because there is a draft of
 * an edit.
 */
export function useEdit(own: OwnReview | null | undefined) {
  const [edited, setEdited] = useState<{ id: number; isChosen: boolean }>();
  const hasDraft = useHasDraft(reviewFormName(own ?? undefined));
  // Once open it stays open: when what is typed equals the review again, there is no draft.
  if (own && hasDraft && edited?.id !== own.id) setEdited({ id: own.id, isChosen: false });
  return {
    isOpen: own != null && edited?.id === own.id,
    /** Whether its button was pressed. */
    isChosen: edited?.isChosen === true,
    open: () => own && setEdited({ id: own.id, isChosen: true }),
    close: () => setEdited(undefined),
  };
}

interface WritingProps {
  category: Category;
  entryId: number;
  /** Undefined while it is loading. */
  entryName: string | undefined;
  /** The user's review; null if there is none, undefined while that is unknown. */
  own: OwnReview | null | undefined;
  /** False while the list beside the form is loading, which moves the form. */
  isSettled: boolean;
  edit: ReturnType<typeof useEdit>;
  /** Called after saving or cancelling, with the review that was posted. */
  onDone: (posted?: PostedReview) => void;
  /** Called when the edited review is gone: its text is now that of a new one. */
  onGone: () => void;
  /** Rendered instead of the form when there is nothing to write. */
  children: ReactNode;
}

/** The form of an entry's page: for a new review, or for the user's own. */
export function Writing(props: WritingProps) {
  const { category, entryId, entryName, own, isSettled, edit, onDone, onGone, children } = props;
  const newDraft = useDraft(reviewFormName(undefined), EMPTY_DRAFT);
  const { replaced, endReplacing } = useReplaced(own, newDraft);
  const form = {
    category,
    entryId,
    entryName,
    takesFocus: edit.isChosen,
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
  if (edit.isOpen)
    // The key differs from that of the form above, even if entry and review have the same id.
    return <ReviewForm key={reviewFormName(own)} {...form} editing={own} isSettled={isSettled} />;
  return children;
}
