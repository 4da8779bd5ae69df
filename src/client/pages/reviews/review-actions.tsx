import { useMutationState } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Category } from '../../../contract/categories.ts';
import { getMyHelpful, markHelpful, unmarkHelpful } from '../../../contract/helpful.ts';
import { getCategoryReviews, getReview, type Review, reviewCalls } from '../../../contract/reviews.ts';
import { callQuery, failureText, keyPrefixOf, queryClient, request } from '../../api.ts';
import { useLoginFirst, useResumed } from '../../begun.ts';
import { lateDialog, useLateDialog } from '../../components/feedback/late-dialog.tsx';
import { numberText } from '../../format.ts';
import { useGuardedMutation } from '../../guard.ts';
import { notify } from '../../notices.ts';
import { useSession } from '../../session.ts';
import { HideButton } from '../../shared/moderation/hide-button.tsx';

/** The pages of a list of reviews in the query cache. */
interface CachedReviews {
  pages: readonly { rows: readonly Review[] }[];
}

/** Changes the number of helpful marks in the cached pages: reading them again would need a request for each page. */
function setCachedMarks(category: Category, reviewId: number, helpful: number): void {
  const mark = <R extends Review>(review: R): R => (review.id === reviewId ? { ...review, helpful } : review);
  for (const call of [reviewCalls(category).list, getCategoryReviews])
    queryClient.setQueriesData<CachedReviews>(
      { queryKey: keyPrefixOf(call) },
      (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(mark) })) },
    );
  queryClient.setQueriesData<Review>({ queryKey: keyPrefixOf(getReview) }, (review) => review && mark(review));
}

/** The prefixes of action names. The id of the review follows, and after "helpful" also that of its entry. */
const HELPFUL = 'helpful ';
const REPORT = 'report ';

const MARKING = ['marking'];

/** The review that an action is about, with its entry. */
interface ActionSubject {
  readonly reviewId: number;
  readonly entryId: number;
}

interface Toggle extends ActionSubject {
  /** Whether the review was marked before the press. */
  readonly isMarked: boolean;
  /** Whether the mark was begun before logging in. The page was opened anew since, so a notice says that it is done. */
  readonly isResumed?: boolean;
}

const ReportDialog = lateDialog(() => import('./report-dialog.tsx').then(({ ReportDialog }) => ReportDialog));

/** The subject of an action: in "helpful 12 5" the review 12 of the entry 5. */
function subjectOf(action: string): ActionSubject {
  const [reviewId = 0, entryId = 0] = action.split(' ').slice(1).map(Number);
  return { reviewId, entryId };
}

const marksOf = (entryId: number) => callQuery(getMyHelpful, { params: { entryId } });

/**
 * The actions of the buttons below reviews, once for all of them: with hooks for each of a hundred reviews, rendering
 * and hydrating the page took a tenth longer.
 * @param ownIds the ids of the user's own reviews on the page, as far as they are known
 */
export function useReviewActions(category: Category, ownIds: readonly (number | undefined)[]) {
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
      // The answer to a read in flight may lack this mark: it is awaited, or else it would replace the list below.
      if (isResumed || queryClient.isFetching({ queryKey: marks.queryKey }) > 0) await queryClient.prefetchQuery(marks);
      queryClient.setQueryData<number[]>(marks.queryKey, (ids = []) => {
        const others = ids.filter((id) => id !== reviewId);
        return isMarked ? others : [...others, reviewId];
      });
      setCachedMarks(category, reviewId, helpful);
      if (isResumed) notify.success('Marked as helpful.');
    },
    onError: (error) => notify.failure(failureText(error, 'The mark was not saved: ')),
  });
  // An optimistic update that is not written to the cache, so that a read meanwhile cannot overwrite it.
  const pendingToggles = useMutationState<Toggle>({
    filters: { mutationKey: MARKING, status: 'pending' },
    // Safe: `toggle` alone has this key.
    select: ({ state }) => state.variables as Toggle,
  }).filter(({ isResumed }) => !isResumed);
  const report = useLateDialog<number>();
  const reportedId = report.opened;
  // Before logging in, nobody knows that the review is their own.
  const isOwnReported = reportedId !== undefined && ownIds.includes(reportedId);
  useEffect(() => {
    if (!isOwnReported) return;
    notify.failure('This is your own review. You can edit or delete it instead.');
    report.close();
  }, [isOwnReported, report.close]);
  useResumed((action) => {
    if (action.startsWith(REPORT)) {
      const { reviewId } = subjectOf(action);
      report.open(reviewId);
      // Any other report is left to the DraftNote of the dialog, whose form has the name of the action.
      return ownIds.includes(reviewId);
    }
    if (!action.startsWith(HELPFUL)) return false;
    toggle.mutate({ ...subjectOf(action), isMarked: false, isResumed: true });
    return true;
  });
  return {
    /** Whether the reader may hide reviews. */
    isAdmin,
    /** The presses on "Helpful" that the server has not answered yet. */
    pendingToggles,
    toggleMark: ({ reviewId, entryId }: ActionSubject, isMarked: boolean) =>
      loginToMark(`${HELPFUL}${reviewId} ${entryId}`, () => toggle.mutate({ reviewId, entryId, isMarked })),
    report: (id: number) => loginToReport(`${REPORT}${id}`, () => report.open(id)),
    isReporting: report.isOpening,
    /** The dialog of a report, while it is open. */
    dialog: reportedId !== undefined && !isOwnReported && (
      <ReportDialog form={`${REPORT}${reportedId}`} reviewId={reportedId} onClose={report.close} />
    ),
  };
}

interface ReviewActionsProps {
  actions: ReturnType<typeof useReviewActions>;
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
  const pending = actions.pendingToggles.find(({ reviewId }) => reviewId === review.id);
  const isPressed = pending ? !pending.isMarked : isMarked;
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
      <button
        type="button"
        className="text-button aria-busy:opacity-60"
        aria-busy={actions.isReporting(review.id) || undefined}
        onClick={() => actions.report(review.id)}
      >
        Report
      </button>
      {actions.isAdmin && <HideButton reviewId={review.id} className="text-button" onHidden={onHidden} />}
    </div>
  );
}
