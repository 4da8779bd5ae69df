import { useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { OwnReview } from '../../../contract/reviews.ts';
import { takeFocus } from '../../form-problem.ts';
import { readAgain } from '../../shared/reviews/reading.ts';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';
import { OWN_REVIEW_ID, ReviewItem } from './review-item.tsx';

interface OwnReviewItemProps {
  category: Category;
  review: OwnReview;
  onEdit: () => void;
  onDeleted: () => void;
}

/** The user's own review, with buttons to edit and delete it. */
export function OwnReviewItem({ category, review, onEdit, onDeleted }: OwnReviewItemProps) {
  const [step, setStep] = useState<'read' | 'confirm' | 'keep'>('read');
  return (
    <ReviewItem review={review} id={OWN_REVIEW_ID} isOwn isHidden={review.isHidden}>
      {step === 'confirm' ? (
        <div className="col-span-full flex flex-wrap items-center gap-3 pt-3">
          <p className="grow">Delete your review for good?</p>
          <ConfirmWithdrawal
            category={category}
            reviewId={review.id}
            onWithdrawn={async () => {
              await readAgain(category);
              onDeleted();
            }}
            onKeep={() => setStep('keep')}
          />
        </div>
      ) : (
        <p className="letter-actions">
          <button type="button" className="text-button" onClick={onEdit}>
            Edit
          </button>
          <button
            type="button"
            ref={step === 'keep' ? takeFocus : undefined}
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
