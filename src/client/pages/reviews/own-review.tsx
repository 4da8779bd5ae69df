import { useState } from 'react';
import { useLocation } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { type OwnReview, reviewCalls } from '../../../contract/reviews.ts';
import { failureText, request } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useOwner } from '../../session.ts';
import { readDraft } from './drafts.ts';
import { readAgain } from './reading.ts';
import { draftPlace, ReviewForm } from './review-form.tsx';
import { ReviewItem } from './review-item.tsx';

interface OwnReviewPanelProps {
  category: Category;
  entryId: number;
  review: OwnReview;
}

/** The caller's own review, to correct or withdraw. */
export function OwnReviewPanel({ category, entryId, review }: OwnReviewPanelProps) {
  const { pathname } = useLocation();
  const owner = useOwner();
  // A correction that was interrupted goes on where it stopped.
  const isBegun = readDraft(owner, draftPlace(pathname, review)) !== undefined;
  const [step, setStep] = useState<'read' | 'edit' | 'confirm'>(isBegun ? 'edit' : 'read');
  const withdraw = useGuardedMutation({
    mutationFn: () => request(reviewCalls(category).remove, { params: { id: review.id } }),
    onSuccess: async () => {
      notify.success('Review deleted!');
      await readAgain(category);
    },
    onError: (error) => notify.failure(failureText(error, 'The review was not deleted: ')),
  });

  if (step === 'edit') {
    return <ReviewForm category={category} entryId={entryId} editing={review} onDone={() => setStep('read')} />;
  }
  return (
    <div className="grid gap-4">
      <ReviewItem review={review} />
      {step === 'confirm' ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="grow">Delete your review for good?</p>
          <Button variant="danger" isPending={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Yes, delete it
          </Button>
          <Button variant="quiet" onClick={() => setStep('read')}>
            Keep it
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap gap-3">
          <Button variant="quiet" onClick={() => setStep('edit')}>
            Edit
          </Button>
          <Button variant="danger" onClick={() => setStep('confirm')}>
            Delete
          </Button>
        </div>
      )}
    </div>
  );
}
