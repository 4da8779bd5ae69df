import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { Review } from '../../../contract/reviews.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Failed, Loading } from '../../components/list-states.tsx';
import { retryReads, useFigures, useReviews } from './reading.ts';
import { ReportButton } from './report-button.tsx';
import { ReviewItem } from './review-item.tsx';

const EMPTY = 'No reviews yet. Be the first to share your experience!';

/** Whether an element reaches below what can be seen of the region around it, as it is scrolled now. */
function useHasMoreBelow(region: React.RefObject<HTMLElement | null>, end: React.RefObject<HTMLElement | null>) {
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => setHasMore(entry?.isIntersecting === false), {
      root: region.current,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [region, end]);
  return hasMore;
}

interface ReviewListProps {
  category: Category;
  /** Takes the place of a review, such as one's own. */
  replace: (review: Review) => ReactNode;
}

/**
 * The reviews of an entry, newest first. All that are loaded stand in the document, so that find in page, print and
 * copy reach them; the region shows about 24 rem of them until somebody asks for more.
 */
export function ReviewList(props: ReviewListProps) {
  const query = useReviews(props.category);
  if (query.isPending) return <Loading>Loading reviews...</Loading>;
  if (!query.data)
    return (
      <Failed error={query.error} onRetry={retryReads}>
        The reviews could not be loaded.
      </Failed>
    );
  if (query.data.pages[0]?.rows.length === 0) return <Empty>{EMPTY}</Empty>;
  return <Reviews {...props} query={query} />;
}

function Reviews({ category, replace, query }: ReviewListProps & { query: ReturnType<typeof useReviews> }) {
  const { total } = useFigures(category);
  const [isWhole, setIsWhole] = useState(false);
  const region = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const hasMoreBelow = useHasMoreBelow(region, end) && !isWhole;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const reviews = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="grid gap-4">
      <section
        ref={region}
        // A region that scrolls must be reachable by keyboard.
        tabIndex={isWhole ? undefined : 0}
        aria-label="Reviews"
        className={`letters ${isWhole ? '' : 'max-h-96 overflow-y-auto print:max-h-none'} ${hasMoreBelow ? 'fades-out' : ''}`}
      >
        <ul>
          {reviews.map((review, index) => (
            <li key={review.id} aria-setsize={total ?? -1} aria-posinset={index + 1}>
              {replace(review) ?? (
                <ReviewItem review={review}>
                  <div className="letter-actions no-print">
                    <ReportButton reviewId={review.id} />
                  </div>
                </ReviewItem>
              )}
            </li>
          ))}
        </ul>
        <div ref={end} />
      </section>
      {isFetchNextPageError && (
        <Failed error={query.error} onRetry={() => void fetchNextPage()}>
          More reviews could not be loaded.
        </Failed>
      )}
      {(isWhole ? hasNextPage && !isFetchNextPageError : hasMoreBelow || hasNextPage) && (
        <Button
          variant="quiet"
          className="no-print justify-self-center"
          isPending={isFetchingNextPage}
          onClick={() => (isWhole ? void fetchNextPage() : setIsWhole(true))}
        >
          Show more reviews
        </Button>
      )}
    </div>
  );
}
