import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import { getReview, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, failureText, keyOf, queryClient, request } from '../../api.ts';
import { useLoginFirst, useResumed } from '../../begun.ts';
import { numberText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useSession } from '../../session.ts';
import { HideButton } from '../../shared/moderation/hide-button.tsx';

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

/** Acts that a visitor can begin, with the id of the review after them. */
const HELPFUL = 'helpful ';
const REPORT = 'report ';

interface Toggle {
  readonly reviewId: number;
  readonly isMarked: boolean;
  /** Whether it was begun before logging in: the page is another one now, so it is said that it is done. */
  readonly isResumed?: boolean;
}

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

/** What the buttons of a review do. */
interface Actions {
  toggleMark(review: Review, isMarked: boolean): void;
  report(reviewId: number): void;
  /** Whether the reader may hide reviews. */
  readonly isAdmin: boolean;
  /** The dialog of a report, while it is open. */
  readonly dialog: ReactNode;
}

/** The id of the review that an act is about: that of "helpful 12". */
const reviewIn = (act: string) => Number(act.split(' ')[1]);

/**
 * What the buttons below reviews of an entry do, once for all of them: with hooks for each of a hundred reviews,
 * rendering and hydrating the page took a tenth longer.
 */
export function useReviewActions(category: Category, entryId: number): Actions {
  const loginToMark = useLoginFirst('Log in to mark reviews as helpful.');
  const loginToReport = useLoginFirst('Log in to report a review.');
  const isAdmin = useSession()?.isAdmin === true;
  const marks = callQuery(getMyHelpful, { params: { entryId } });
  const toggle = useGuardedMutation({
    keyOf: ({ reviewId }) => reviewId,
    mutationFn: async ({ reviewId, isMarked, isResumed }: Toggle) => {
      // Otherwise the marks that are being read, without this one, would be shown afterwards.
      if (isResumed) await queryClient.prefetchQuery(marks);
      return request(isMarked ? unmarkHelpful : markHelpful, { params: { reviewId } });
    },
    onSuccess: ({ helpful }, { reviewId, isMarked, isResumed }) => {
      queryClient.setQueryData<number[]>(marks.queryKey, (ids = []) =>
        isMarked ? ids.filter((id) => id !== reviewId) : [...ids, reviewId],
      );
      showMarks(category, reviewId, helpful);
      if (isResumed) notify.success('Marked as helpful.');
    },
    onError: (error) => notify.failure(failureText(error, 'The mark was not saved: ')),
  });
  const [reportedId, setReportedId] = useState<number>();
  const { pathname } = useLocation();
  useResumed((act) => {
    if (act.startsWith(REPORT)) setReportedId(reviewIn(act));
    if (!act.startsWith(HELPFUL)) return false;
    toggle.mutate({ reviewId: reviewIn(act), isMarked: false, isResumed: true });
    return true;
  });
  return {
    isAdmin,
    toggleMark: ({ id }, isMarked) =>
      loginToMark(`${pathname} ${HELPFUL}${id}`, () => toggle.mutate({ reviewId: id, isMarked })),
    report: (id) => loginToReport(`${pathname} ${REPORT}${id}`, () => setReportedId(id)),
    dialog: reportedId !== undefined && (
      <Suspense>
        <ReportDialog form={`${REPORT}${reportedId}`} reviewId={reportedId} onClose={() => setReportedId(undefined)} />
      </Suspense>
    ),
  };
}

interface ReviewActionsProps {
  actions: Actions;
  review: Review;
  /** Whether the user has marked the review as helpful. */
  isMarked: boolean;
  /** Called when an admin has hidden the review. */
  onHidden?: () => void;
}

/** The buttons below somebody else's review. */
export function ReviewActions({ actions, review, isMarked, onHidden }: ReviewActionsProps) {
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
      <button type="button" className="text-button" onClick={() => actions.report(review.id)}>
        Report
      </button>
      {actions.isAdmin && <HideButton reviewId={review.id} className="text-button" onHidden={onHidden} />}
    </div>
  );
}
