import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Category } from '../../../contract/categories.ts';
import type { Review } from '../../../contract/reviews.ts';
import { Empty, Failed, Loading } from '../../components/list-states.tsx';
import { useIsLive } from '../../live.ts';
import { useFigures, useReviews } from './reading.ts';
import { ReviewItem } from './review-item.tsx';

const EMPTY = 'No reviews yet. Be the first to share your experience!';

/** What a review takes before it is measured, in pixels. */
const ESTIMATED_HEIGHT = 170;
const GAP = 12;
/** Reviews drawn beyond what is on screen. */
const AROUND = 4;
/** The next page is fetched when so few loaded reviews are left below. */
const FETCH_AHEAD = 20;

/** The first reviews, one below the other, as long as nothing can be measured. */
function DrawnReviews({ reviews }: { reviews: readonly Review[] }) {
  return (
    <div className="-m-1 max-h-96 overflow-y-hidden p-1">
      <ul className="grid gap-3">
        {reviews.slice(0, AROUND).map((review) => (
          <li key={review.id}>
            <ReviewItem review={review} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The reviews of an entry, newest first, in a region that scrolls by itself; only what can be seen is drawn. */
export function ReviewList({ category }: { category: Category }) {
  const query = useReviews(category);
  const { total } = useFigures(category);
  const isLive = useIsLive();
  const region = useRef<HTMLDivElement>(null);
  const reviews = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const virtualizer = useVirtualizer({
    count: reviews.length,
    getScrollElement: () => region.current,
    estimateSize: () => ESTIMATED_HEIGHT,
    gap: GAP,
    overscan: AROUND,
    getItemKey: (index) => reviews[index]?.id ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const isNearEnd = (items.at(-1)?.index ?? 0) >= reviews.length - FETCH_AHEAD;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);

  if (query.isPending) return <Loading>Loading reviews...</Loading>;
  if (!query.data) return <Failed onRetry={() => void query.refetch()}>The reviews could not be loaded.</Failed>;
  if (reviews.length === 0) return <Empty>{EMPTY}</Empty>;
  if (!isLive) return <DrawnReviews reviews={reviews} />;
  return (
    <section
      ref={region}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="Reviews"
      className="-m-1 max-h-96 overflow-y-auto p-1 print:max-h-none"
    >
      <ul className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ key, index, start }) => {
          const review = reviews[index];
          return (
            review && (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={total ?? -1}
                aria-posinset={index + 1}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <ReviewItem review={review} />
              </li>
            )
          );
        })}
      </ul>
      {isFetchNextPageError && <Failed onRetry={() => void fetchNextPage()}>More reviews could not be loaded.</Failed>}
    </section>
  );
}
