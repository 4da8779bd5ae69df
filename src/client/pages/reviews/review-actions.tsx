import { useMutationState } from '@tanstack/react-query';
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
function showMarks(category: Category, reviewId: number, helpful: number): void {
  const mark = <R extends Review>(review: R): R => (review.id === reviewId ? { ...review, helpful } : review);
  for (const call of [reviewCalls(category).list, getCategoryReviews])
    queryClient.setQueriesData<Loaded>(
      { queryKey: keyOf(call) },
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(mark) })) },
    );
  queryClient.setQueriesData<Review>({ queryKey: keyOf(getReview) }, (review) => review && mark(review));
}

/** Actions that a visitor can begin, followed by the ids of the review and its entry. */
const HELPFUL = 'helpful ';
const REPORT = 'report ';

const MARKING = ['marking'];

/** A review that the reader marks or reports, with its entry. */
interface Marked {
  readonly reviewId: number;
  readonly entryId: number;
}

interface Toggle extends Marked {
  readonly isMarked: boolean;
  /** Whether the mark was begun before logging in. The page was opened anew since, so a notice says that it is done. */
  readonly isResumed?: boolean;
}

// Loaded on demand, because few readers report.
const ReportDialog = lazy(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ({ default: ReportDialog })));

/** What the buttons of a review do. */
interface Actions {
  /** The presses that the server has not answered yet. */
  readonly toggled: readonly Toggle[];
  toggleMark(marked: Marked, isMarked: boolean): void;
  report(reviewId: number): void;
  /** Whether the reader may hide reviews. */
  readonly isAdmin: boolean;
  /** The dialog of a report, while it is open. */
  readonly dialog: ReactNode;
}

/** The subject of an action: in "helpful 12 5" the review 12 of the entry 5. */
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

  const toggle = useGuardedMutation({
    mutationKey: MARKING,
    keyOf: ({ reviewId }) => reviewId,
    mutationFn: ({ reviewId, isMarked }: Toggle) =>
      request(isMarked ? unmarkHelpful : markHelpful, { params: { reviewId } }),
    onSuccess: async ({ helpful }, { reviewId, entryId, isMarked, isResumed }) => {
      const marks = marksOf(entryId);
      // A list of marks that is being read lacks this one: it is awaited, or else it would be shown afterwards.
      if (isResumed || queryClient.isFetching({ queryKey: marks.queryKey }) > 0) await queryClient.prefetchQuery(marks);
      queryClient.setQueryData<number[]>(marks.queryKey, (ids = []) => {
        const others = ids.filter((id) => id !== reviewId);
        return isMarked ? others : [...others, reviewId];
      });
      showMarks(category, reviewId, helpful);
      if (isResumed) notify.success('Marked as helpful.');
    },
    onError: (error) => notify.failure(failureText(error, 'The mark was not saved: ')),
  });
  // An optimistic update that is not written to the cache, so that a read meanwhile cannot overwrite it.
  const toggled = useMutationState<Toggle>({
    filters: { mutationKey: MARKING, status: 'pending' },
    // Safe: `toggle` alone has this key.
    select: ({ state }) => state.variables as Toggle,
  }).filter(({ isResumed }) => !isResumed);
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
    toggled,
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
  const { helpful = 0 } = review;
  const toggled = actions.toggled.find(({ reviewId }) => reviewId === review.id);
  const isPressed = toggled ? !toggled.isMarked : isMarked;
  const count = helpful + Number(isPressed) - Number(isMarked);
  return (
    <div className="letter-actions no-print needs-script">
      <button
        type="button"
        aria-pressed={isPressed}
        className="text-button"
        onClick={() => actions.toggleMark({ reviewId: review.id, entryId }, isMarked)}
      >
        {count > 0 ? `Helpful (${numberText(count)})` : 'Helpful'}
      </button>
      <button type="button" className="text-button" onClick={() => actions.report(review.id)}>
        Report
      </button>
      {actions.isAdmin && <HideButton reviewId={review.id} className="text-button" onHidden={onHidden} />}
    </div>
  );
}
