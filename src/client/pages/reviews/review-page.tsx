import { useNavigate } from 'react-router';
import { type Category, findCategory } from '../../../contract/categories.ts';
import { categoryPages, pageAddress } from '../../../contract/pages.ts';
import { getReview, reviewCalls, type SingleReview } from '../../../contract/reviews.ts';
import { PageProblem } from '../../components/feedback/page-problem.tsx';
import { Breadcrumb, stepsTo } from '../../components/layout/breadcrumb.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { countText } from '../../format.ts';
import { useDeclaredRead, useRead } from '../../page.ts';
import { useMarkedReviewIds, useOwnReview } from '../../shared/reviews/reading.ts';
import { PrintLine } from './print-line.tsx';
import { ReviewActions, useReviewActions } from './review-actions.tsx';
import { ReviewItem } from './review-item.tsx';

/** Up to this length, in letters, a review is set as large as a quote. */
const LARGE_TEXT_MAX = 160;

/** A single review at its own address. */
export function Component() {
  const read = useDeclaredRead(getReview);
  const review = read.data;
  if (read.error && !review) return <PageProblem query={read} />;
  const category = findCategory(review?.category);
  if (!review || !category)
    return (
      <div className="one-letter">
        <Loading>Loading review...</Loading>
      </div>
    );
  return <OneReview category={category} review={review} />;
}

function OneReview({ category, review }: { category: Category; review: SingleReview }) {
  const { entryId, entryName } = review;
  const navigate = useNavigate();
  const own = useOwnReview(category, entryId);
  const isMarked = useMarkedReviewIds([entryId]).includes(review.id);
  const actions = useReviewActions(category, [own?.id]);
  const total = useRead(reviewCalls(category).totalReviews, { params: { id: entryId } }).data?.totalReviews;
  const entryAddress = pageAddress(categoryPages(category).reviews, entryId);
  const isShort = review.review.length <= LARGE_TEXT_MAX;
  return (
    <div className={`page one-letter pt-1 pb-12 ${isShort ? 'is-short' : ''}`} data-category={category.kind}>
      <Breadcrumb trail={[...stepsTo(category, review), { label: entryName, to: entryAddress }]} />
      <PageHeading title={`Review of ${entryName} · ${review.schoolName}`}>
        <span className="text-[0.62em] font-normal text-ink-soft">Review of</span> <bdi>{entryName}</bdi>
      </PageHeading>
      <div className="letters mt-4 border-t border-line">
        <ReviewItem review={review} isAlone isBeingChecked={review.isBeingChecked}>
          {own?.id !== review.id && (
            <ReviewActions
              actions={actions}
              review={review}
              entryId={entryId}
              isMarked={isMarked}
              // A hidden review has no page.
              onHidden={() => void navigate(entryAddress)}
            />
          )}
        </ReviewItem>
        <StandaloneLink to={entryAddress} className="mt-2">
          {total === undefined || total === 1 ? 'Read all reviews' : `Read all ${countText(total, 'review')}`}
        </StandaloneLink>
      </div>
      {actions.dialog}
      <PrintLine />
    </div>
  );
}
