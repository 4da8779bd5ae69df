import { useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { type OwnReview, reviewCalls } from '../../../contract/reviews.ts';
import { notDoneText, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { readAgain } from './reading.ts';
import { ReviewItem } from './review-item.tsx';

interface OwnReviewItemProps {
  category: Category;
  review: OwnReview;
  onEdit: () => void;
  onDeleted: () => void;
}

const focus = (button: HTMLButtonElement | null) => button?.focus();

/** The user's own review, with buttons to edit and delete it. */
export function OwnReviewItem({ category, review, onEdit, onDeleted }: OwnReviewItemProps) {
  const [step, setStep] = useState<'read' | 'confirm' | 'keep'>('read');
  const withdraw = useGuardedMutation({
    mutationFn: () => request(reviewCalls(category).remove, { params: { id: review.id } }),
    onSuccess: async () => {
      notify.success('Review deleted!');
      await readAgain(category);
      onDeleted();
    },
    onError: (error) => notify.failure(notDoneText(error, 'The review was not deleted.')),
  });

  return (
    <ReviewItem review={review} isOwn isHidden={review.isHidden}>
      {step === 'confirm' ? (
        <div className="col-span-full flex flex-wrap items-center gap-3 pt-3">
          <p className="grow">Delete your review for good?</p>
          <Button variant="danger" isPending={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Yes, delete it
          </Button>
          {/* The safe button has the focus: pressing Enter twice must not delete. */}
          <Button variant="quiet" ref={focus} onClick={() => setStep('keep')}>
            Keep it
          </Button>
        </div>
      ) : (
        <p className="letter-actions">
          <button type="button" className="text-button" onClick={onEdit}>
            Edit
          </button>
          <button
            type="button"
            ref={step === 'keep' ? focus : undefined}
            className="text-button"
            onClick={() => setStep('confirm')}
          >
            Delete
          </button>
        </p>
      )}
    </ReviewItem>
  );
}
