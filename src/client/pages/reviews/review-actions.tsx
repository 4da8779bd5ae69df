import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import { getCategoryReviews, getReview, type Review, reviewCalls } from '../../../contract/reviews.ts';
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
function showMarks(category: Category, reviewId: number, countOf: (helpful: number) => number): void {
  const mark = <R extends Review>(review: R): R =>
    review.id === reviewId ? { ...review, helpful: countOf(review.helpful ?? 0) } : review;
  for (const call of [reviewCalls(category).list, getCategoryReviews])
    queryClient.setQueriesData<Loaded>(
      { queryKey: keyOf(call) },
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(mark) })) },
    );
  queryClient.setQueriesData<Review>({ queryKey: keyOf(getReview) }, (review) => review && mark(review));
}

/** Acts that a visitor can begin, with the ids of the review and its entry after them. */
const HELPFUL = 'helpful ';
const REPORT = 'report ';

/** A review, where one marks or reports it. */
interface Marked {
  readonly reviewId: number;
  readonly entryId: number;
}

interface Toggle extends Marked {
  readonly isMarked: boolean;
  /** Whether it was begun before logging in: the page is another one now, so it is said that it is done. */
  readonly isResumed?: boolean;
}

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

/** What the buttons of a review do. */
interface Actions {
  toggleMark(marked: Marked, isMarked: boolean): void;
  report(reviewId: number): void;
  /** Whether the reader may hide reviews. */
  readonly isAdmin: boolean;
  /** The dialog of a report, while it is open. */
  readonly dialog: ReactNode;
}

/** What an act is about: in "helpful 12 5" the review 12 of the entry 5. */
function markedIn(act: string): Marked {
  const [reviewId = 0, entryId = 0] = act.split(' ').slice(1).map(Number);
  return { reviewId, entryId };
}

const marksOf = (entryId: number) => callQuery(getMyHelpful, { params: { entryId } });

/**
 * What the buttons below reviews do, once for all of them: with hooks for each of a hundred reviews,
 * rendering and hydrating the page took a tenth longer.
 */
export function useReviewActions(category: Category): Actions {
  const loginToMark = useLoginFirst('Log in to mark reviews as helpful.');
  const loginToReport = useLoginFirst('Log in to report a review.');
  const isAdmin = useSession()?.isAdmin === true;

  function showMark({ reviewId, entryId }: Marked, isMarked: boolean): void {
    queryClient.setQueryData<number[]>(marksOf(entryId).queryKey, (ids = []) => {
      const others = ids.filter((id) => id !== reviewId);
      return isMarked ? [...others, reviewId] : others;
    });
  }

  function show(marked: Marked, isMarked: boolean, countOf: (helpful: number) => number): void {
    showMark(marked, isMarked);
    showMarks(category, marked.reviewId, countOf);
  }

  const toggle = useGuardedMutation({
    keyOf: ({ reviewId }) => reviewId,
    // Before the server has answered; what it refuses is taken back.
    onMutate: ({ isMarked, isResumed, ...marked }) => {
      if (!isResumed) show(marked, !isMarked, (helpful) => helpful + (isMarked ? -1 : 1));
    },
    mutationFn: async ({ reviewId, entryId, isMarked, isResumed }: Toggle) => {
      const marks = marksOf(entryId);
      // Otherwise the marks that are being read, without this one, would be shown afterwards.
      if (isResumed || queryClient.isFetching({ queryKey: marks.queryKey }) > 0) {
        await queryClient.prefetchQuery(marks);
        if (!isResumed) showMark({ reviewId, entryId }, !isMarked);
      }
      return request(isMarked ? unmarkHelpful : markHelpful, { params: { reviewId } });
    },
    onSuccess: ({ helpful }, { isMarked, isResumed, ...marked }) => {
      show(marked, !isMarked, () => helpful);
      if (isResumed) notify.success('Marked as helpful.');
    },
    onError: (error, { isMarked, isResumed, ...marked }) => {
      if (!isResumed) show(marked, isMarked, (helpful) => helpful + (isMarked ? 1 : -1));
      notify.failure(failureText(error, 'The mark was not saved: '));
    },
  });
  const [reportedId, setReportedId] = useState<number>();
  const { pathname } = useLocation();
  useResumed((act) => {
    if (act.startsWith(REPORT)) setReportedId(markedIn(act).reviewId);
    if (!act.startsWith(HELPFUL)) return false;
    toggle.mutate({ ...markedIn(act), isMarked: false, isResumed: true });
    return true;
  });
  return {
    isAdmin,
    toggleMark: ({ reviewId, entryId }, isMarked) =>
      loginToMark(`${pathname} ${HELPFUL}${reviewId} ${entryId}`, () => toggle.mutate({ reviewId, entryId, isMarked })),
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
  entryId: number;
  /** Whether the user has marked the review as helpful. */
  isMarked: boolean;
  /** Called when an admin has hidden the review. */
  onHidden?: () => void;
}

/** The buttons below somebody else's review. */
export function ReviewActions({ actions, review, entryId, isMarked, onHidden }: ReviewActionsProps) {
  return (
    <div className="letter-actions no-print needs-script">
      <button
        type="button"
        aria-pressed={isMarked}
        className="text-button"
        onClick={() => actions.toggleMark({ reviewId: review.id, entryId }, isMarked)}
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
