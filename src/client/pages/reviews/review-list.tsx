import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { Review } from '../../../contract/reviews.ts';
import { Button } from '../../components/form/button.tsx';
import { Empty, Failed, Loading, ScrollRegion } from '../../components/list/list-states.tsx';
import { usePageQuery } from '../../page-reads.ts';
import { retryReads, useReviews } from '../../shared/reviews/reading.ts';
import { useShownCount } from './filters.tsx';

const NO_MATCH = 'No reviews match these filters.';
const EMPTY = 'No reviews yet. Be the first to share your experience!';

/** Whether an element is below the visible part of its scrolling region. */
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
  /** Renders one review. */
  children: (review: Review) => ReactNode;
}

/**
 * The reviews of an entry, newest first. All loaded ones are in the document, so that find in page, print and copy
 * reach them. The region shows about 24 rem of them until the reader expands it.
 */
export function ReviewList({ category, children }: ReviewListProps) {
  const query = useReviews(category);
  const isFiltered = Object.keys(usePageQuery()).length > 0;
  if (query.isPending) return <Loading>Loading reviews...</Loading>;
  if (!query.data)
    return (
      <Failed error={query.error} onRetry={retryReads}>
        The reviews could not be loaded.
      </Failed>
    );
  if (query.data.pages[0]?.rows.length === 0) return <Empty>{isFiltered ? NO_MATCH : EMPTY}</Empty>;
  return (
    <Reviews isFiltered={isFiltered} query={query}>
      {children}
    </Reviews>
  );
}

interface ReviewsProps extends Pick<ReviewListProps, 'children'> {
  isFiltered: boolean;
  query: ReturnType<typeof useReviews>;
}

function Reviews({ children, isFiltered, query }: ReviewsProps) {
  const shown = useShownCount();
  const [isOpened, setOpened] = useState(false);
  // A reader who sorts or filters wants to see the result.
  const isWhole = isOpened || isFiltered;
  const region = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const hasMoreBelow = useHasMoreBelow(region, end) && !isWhole;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const reviews = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="grid gap-4">
      <ScrollRegion
        ref={region}
        scrolls={!isWhole}
        aria-label="Reviews"
        aria-busy={query.isPlaceholderData}
        className={`letters ${isWhole ? '' : 'max-h-96 overflow-y-auto print:max-h-none'} ${hasMoreBelow ? 'fades-out' : ''}`}
      >
        <ul>
          {reviews.map((review, index) => (
            <li key={review.id} aria-setsize={shown ?? -1} aria-posinset={index + 1}>
              {children(review)}
            </li>
          ))}
        </ul>
        <div ref={end} />
      </ScrollRegion>
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
          onClick={() => (isWhole ? void fetchNextPage() : setOpened(true))}
        >
          Show more reviews
        </Button>
      )}
    </div>
  );
}
