import type { Category } from '../../../contract/categories.ts';
import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import { getReview, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, failureText, keyOf, queryClient, request } from '../../api.ts';
import { numberText } from '../../count-text.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useLoginFirst } from '../accounts/use-login-first.ts';
import { ReportButton } from './report-button.tsx';

interface ReviewActionsProps {
  category: Category;
  entryId: number;
  review: Review;
  /** Whether the user has marked the review as helpful. */
  isMarked: boolean;
}

/** The pages of a list of reviews in the query cache. */
interface Loaded {
  pages: readonly { rows: readonly Review[] }[];
}

/** Changes the number of helpful marks in the cached pages: reading them again would need a request for each page. */
function showMarks(category: Category, reviewId: number, helpful: number): void {
  const mark = <R extends Review>(review: R): R => (review.id === reviewId ? { ...review, helpful } : review);
  queryClient.setQueriesData<Loaded>(
    { queryKey: keyOf(reviewCalls(category).list) },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(mark) })) },
  );
  queryClient.setQueriesData<Review>({ queryKey: keyOf(getReview) }, (review) => review && mark(review));
}

/** The buttons below somebody else's review. */
export function ReviewActions({ category, entryId, review, isMarked }: ReviewActionsProps) {
  const loginFirst = useLoginFirst('Log in to mark reviews as helpful.');
  const toggle = useGuardedMutation({
    mutationFn: () => request(isMarked ? unmarkHelpful : markHelpful, { params: { reviewId: review.id } }),
    onSuccess: ({ helpful }) => {
      queryClient.setQueryData<number[]>(callQuery(getMyHelpful, { params: { entryId } }).queryKey, (ids = []) =>
        isMarked ? ids.filter((id) => id !== review.id) : [...ids, review.id],
      );
      showMarks(category, review.id, helpful);
    },
    onError: (error) => notify.failure(failureText(error, 'The mark was not saved: ')),
  });

  return (
    <div className="letter-actions no-print needs-script">
      <button
        type="button"
        aria-pressed={isMarked}
        className="text-button"
        onClick={() => loginFirst(() => toggle.mutate())}
      >
        {review.helpful ? `Helpful (${numberText(review.helpful)})` : 'Helpful'}
      </button>
      <ReportButton reviewId={review.id} />
    </div>
  );
}
