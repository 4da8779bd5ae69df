import type { Category } from '../../../contract/categories.ts';
import { reviewCalls } from '../../../contract/reviews.ts';
import { actionFailureText, request } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { takeFocus } from '../../form.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { forgetReviewPage } from '../../shared/reviews/reading.ts';

interface ConfirmWithdrawalProps {
  category: Category;
  reviewId: number;
  onWithdrawn: () => Promise<void>;
  onKeep: () => void;
}

/** The buttons that delete the user's own review, or keep it. */
export function ConfirmWithdrawal({ category, reviewId, onWithdrawn, onKeep }: ConfirmWithdrawalProps) {
  const withdraw = useGuardedMutation({
    mutationFn: () => request(reviewCalls(category).remove, { params: { id: reviewId } }),
    onSuccess: async () => {
      notify.success('Review deleted!');
      forgetReviewPage(reviewId);
      await onWithdrawn();
    },
    onError: (error) => notify.failure(actionFailureText(error, 'The review was not deleted.')),
  });
  return (
    <>
      <Button variant="danger" isPending={withdraw.isPending} onClick={() => withdraw.mutate()}>
        Yes, delete it
      </Button>
      {/* The safe button has the focus: pressing Enter twice must not delete. */}
      <Button variant="quiet" ref={takeFocus} onClick={onKeep}>
        Keep it
      </Button>
    </>
  );
}
