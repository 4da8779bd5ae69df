import type { Category } from '../../../contract/categories.ts';
import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import { getReview, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, failureText, keyOf, queryClient, request } from '../../api.ts';
import { numberText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useLoginFirst } from '../../shared/accounts/use-login-first.ts';
import { ReportButton } from './report-button.tsx';

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

/** What the buttons of a review do. */
interface Actions {
  toggleMark(review: Review, isMarked: boolean): void;
  loginToReport(action: () => void): void;
}

/**
 * What the buttons below reviews of an entry do, once for all of them: with hooks for each of a hundred reviews,
 * rendering and hydrating the page took a tenth longer.
 */
export function useReviewActions(category: Category, entryId: number): Actions {
  const loginToMark = useLoginFirst('Log in to mark reviews as helpful.');
  const loginToReport = useLoginFirst('Log in to report a review.');
  const toggle = useGuardedMutation({
    keyOf: ({ review }) => review.id,
    mutationFn: ({ review, isMarked }: { review: Review; isMarked: boolean }) =>
      request(isMarked ? unmarkHelpful : markHelpful, { params: { reviewId: review.id } }),
    onSuccess: ({ helpful }, { review, isMarked }) => {
      queryClient.setQueryData<number[]>(callQuery(getMyHelpful, { params: { entryId } }).queryKey, (ids = []) =>
        isMarked ? ids.filter((id) => id !== review.id) : [...ids, review.id],
      );
      showMarks(category, review.id, helpful);
    },
    onError: (error) => notify.failure(failureText(error, 'The mark was not saved: ')),
  });
  return {
    toggleMark: (review, isMarked) => loginToMark(() => toggle.mutate({ review, isMarked })),
    loginToReport,
  };
}

interface ReviewActionsProps {
  actions: Actions;
  review: Review;
  /** Whether the user has marked the review as helpful. */
  isMarked: boolean;
}

/** The buttons below somebody else's review. */
export function ReviewActions({ actions, review, isMarked }: ReviewActionsProps) {
  return (
    <div className="letter-actions no-print needs-script">
      <button
        type="button"
        aria-pressed={isMarked}
        className="text-button"
        onClick={() => actions.toggleMark(review, isMarked)}
      >
        {review.helpful ? `Helpful (${numberText(review.helpful)})` : 'Helpful'}
      </button>
      <ReportButton reviewId={review.id} loginFirst={actions.loginToReport} />
    </div>
  );
}
