import { useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { RESTORE_DAYS } from '../../../contract/deletions.ts';
import { getMyReviews, type MyReview } from '../../../contract/my-reviews.ts';
import { invalidateReads } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { ConfirmWithdrawal } from './confirm-withdrawal.tsx';

/** For the author of a review whose page an admin has deleted: they can wait, or withdraw it before it comes back. */
export function DeletedReview({ review, category }: { review: MyReview; category: Category }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="grid gap-2 border-l-4 border-line-strong pl-3">
      <p>
        <strong>An admin deleted the page of this review.</strong> It can come back within {RESTORE_DAYS} days. Until
        then nobody but you sees the review.
      </p>
      {!review.isWithdrawn && (
        <div className="flex flex-wrap items-center gap-3">
          {isAsking ? (
            <ConfirmWithdrawal
              category={category}
              reviewId={review.id}
              onWithdrawn={() => invalidateReads(getMyReviews)}
              onKeep={() => setIsAsking(false)}
            />
          ) : (
            <Button variant="quiet" onClick={() => setIsAsking(true)}>
              Delete your review
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
