import { useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { BRING_BACK_DAYS } from '../../../contract/deletions.ts';
import { getMyReviews, type MyReview } from '../../../contract/my-reviews.ts';
import { reviewCalls } from '../../../contract/reviews.ts';
import { keyOf, notDoneText, queryClient, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';

const focus = (button: HTMLButtonElement | null) => button?.focus();

/** What its author can do about a review whose page an admin has deleted: wait, or withdraw it before it comes back. */
export function DeletedReview({ review, category }: { review: MyReview; category: Category }) {
  const [isAsking, setIsAsking] = useState(false);
  const withdraw = useGuardedMutation({
    mutationFn: () => request(reviewCalls(category).remove, { params: { id: review.id } }),
    onSuccess: async () => {
      notify.success('Review deleted!');
      await queryClient.invalidateQueries({ queryKey: keyOf(getMyReviews) });
    },
    onError: (error) => notify.failure(notDoneText(error, 'The review was not deleted.')),
  });
  return (
    <div className="grid gap-2 border-l-4 border-line-strong pl-3">
      <p>
        <strong>An admin deleted the page of this review.</strong> It can come back within {BRING_BACK_DAYS} days. Until
        then nobody but you sees the review.
      </p>
      {!review.isWithdrawn && (
        <div className="flex flex-wrap items-center gap-3">
          {isAsking ? (
            <>
              <Button variant="danger" isPending={withdraw.isPending} onClick={() => withdraw.mutate()}>
                Yes, delete it
              </Button>
              {/* Enter pressed twice must not delete. */}
              <Button variant="quiet" ref={focus} onClick={() => setIsAsking(false)}>
                Keep it
              </Button>
            </>
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
