import { Navigate } from 'react-router';
import { type Category, findCategory } from '../../../contract/categories.ts';
import { getSchoolSummary } from '../../../contract/comparison.ts';
import { withDefaultCategory } from '../../../contract/page-reads.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import type { CategoryReview, Review } from '../../../contract/reviews.ts';
import { getSchool } from '../../../contract/schools.ts';
import { PageProblem } from '../../components/feedback/page-problem.tsx';
import { Breadcrumb, stepsTo } from '../../components/layout/breadcrumb.tsx';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { Loading } from '../../components/list/list-states.tsx';
import { BeingChecked } from '../../components/school/score.tsx';
import { isAnyPending, useDeclaredRead, usePageId, usePageQuery } from '../../page.ts';
import { useMarkedReviewIds, useOwnReviewIds, useReviews, useSummaryRead } from '../../shared/reviews/reading.ts';
import { FilterState, Filters } from './filters.tsx';
import { PrintLine } from './print-line.tsx';
import { ReviewActions, useReviewActions } from './review-actions.tsx';
import { ReviewItem } from './review-item.tsx';
import { ReviewList } from './review-list.tsx';

/** The reviews of all entries of a category at a school. */
export function Component() {
  const category = findCategory(usePageQuery().category);
  return category ? <CategoryReviews key={category.kind} category={category} /> : <CanonicalRedirect />;
}

/** Leads from an address without a category to the one that its document names as canonical. */
function CanonicalRedirect() {
  const id = usePageId();
  const query = usePageQuery();
  const summaryRead = useDeclaredRead(getSchoolSummary);
  const summary = summaryRead.data;
  if (summary)
    return <Navigate to={pageAddress(PAGES.schoolReviews, id, withDefaultCategory(query, summary))} replace />;
  return summaryRead.error ? <PageProblem query={summaryRead} /> : <Loading>Loading reviews...</Loading>;
}

function CategoryReviews({ category }: { category: Category }) {
  const id = usePageId();
  const schoolRead = useDeclaredRead(getSchool);
  const summaryRead = useSummaryRead();
  const reviews = useReviews(category);
  const school = schoolRead.data;
  const pages = categoryPages(category);
  const entryIds = [...new Set(reviews.data?.map(entryIdOf))];
  const markedIds = useMarkedReviewIds(entryIds);
  const ownIds = useOwnReviewIds(category, entryIds);
  const actions = useReviewActions(category, ownIds);
  return (
    <div className="page grid grid-cols-[minmax(0,44rem)] gap-1 pt-1 pb-12" data-category={category.kind}>
      <div className="flex min-h-touch items-start">
        {school && <Breadcrumb trail={stepsTo(category, { ...school, schoolId: id })} />}
      </div>
      <PageHeading title={school && `${category.label} reviews · ${school.schoolName}`}>
        {`${category.label} reviews`}
      </PageHeading>
      {isAnyPending(schoolRead, summaryRead, reviews) ? (
        <Loading>Loading reviews...</Loading>
      ) : (
        <div className="min-w-0">
          <div className="flex min-h-touch items-center gap-4">
            <FilterState />
            {summaryRead.data?.isBeingChecked && <BeingChecked />}
          </div>
          <Filters />
          <ReviewList category={category}>
            {(review) => (
              <ReviewItem
                review={review}
                isOwn={ownIds.includes(review.id)}
                entry={{ name: review.entryName ?? '', address: pageAddress(pages.reviews, entryIdOf(review)) }}
              >
                {!ownIds.includes(review.id) && (
                  <ReviewActions
                    actions={actions}
                    review={review}
                    entryId={entryIdOf(review)}
                    isMarked={markedIds.includes(review.id)}
                  />
                )}
              </ReviewItem>
            )}
          </ReviewList>
          <StandaloneLink to={`${pageAddress(pages.list, id)}#write`} className="no-print mt-4">
            Write a review
          </StandaloneLink>
          {actions.dialog}
        </div>
      )}
      <PrintLine />
    </div>
  );
}

/** The id of the entry, which every review of this page's list has. */
const entryIdOf = ({ entryId = 0 }: Review & Partial<CategoryReview>) => entryId;
