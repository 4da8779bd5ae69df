import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { Category } from '../../../contract/categories.ts';
import { LIST_LIMIT_MAX } from '../../../contract/fields.ts';
import type { CategoryReview, Review } from '../../../contract/reviews.ts';
import { Button } from '../../components/form/button.tsx';
import { Empty, Failed, Loading, ScrollRegion } from '../../components/list/list-states.tsx';
import { useHistoryState, useKeptScroll } from '../../history-state.ts';
import { passFocusOn } from '../../navigation.ts';
import { usePageQuery } from '../../page.ts';
import { retryReads, useReviews } from '../../shared/reviews/reading.ts';
import { useIsFiltered, useShownCount } from './filters.tsx';

const NO_MATCH = 'No reviews match these filters.';
const BE_THE_FIRST = 'No reviews yet. Be the first to share your experience!';

/** So many reviews are surely higher than 24 rem: the server cannot measure them. */
const SURELY_HIGHER_FROM = 5;

/**
 * Whether a list is higher than its scrolling region, and whether its end is below the visible part. `isHigher` stays
 * true at the end of the list: if the button disappeared there, the page would move under the reader.
 */
function useRegionState(
  region: React.RefObject<HTMLElement | null>,
  end: React.RefObject<HTMLElement | null>,
  loadedCount: number,
) {
  const [isHigher, setHigher] = useState(loadedCount >= SURELY_HIGHER_FROM);
  const [hasMoreBelow, setMoreBelow] = useState(isHigher);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        // Sizes are compared too: rounding or a resize can put the end outside with nothing left to show.
        const { scrollHeight = 0, clientHeight = 0 } = region.current ?? {};
        const isBelow = entry?.isIntersecting === false && scrollHeight > clientHeight;
        setMoreBelow(isBelow);
        if (isBelow) setHigher(true);
      },
      { root: region.current },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [region, end]);
  return { isHigher, hasMoreBelow };
}

interface ReviewListProps {
  category: Category;
  /** Renders one review. It has the name of its entry if the list is of several entries. */
  children: (review: Review & Partial<CategoryReview>) => ReactNode;
}

/**
 * The reviews of an entry, newest first. All loaded ones are in the document, so that find in page, print and copy
 * reach them. The region shows about 24 rem of them, and ten more with each press on the button.
 */
export function ReviewList({ category, children }: ReviewListProps) {
  const query = useReviews(category);
  const isFiltered = useIsFiltered();
  if (query.isPending) return <Loading>Loading reviews...</Loading>;
  if (!query.data)
    return <Failed query={{ error: query.error, refetch: retryReads }}>The reviews could not be loaded.</Failed>;
  if (query.data.length === 0) return <Empty>{isFiltered ? NO_MATCH : BE_THE_FIRST}</Empty>;
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

const NO_REVIEWS: readonly Review[] = [];

/** Sorts reviews newest first, as the page promises whatever the order of the answer. */
const newestFirst = (reviews: readonly Review[]) =>
  reviews.toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));

/** How many more reviews a press on the button shows. */
const SHOW_MORE_COUNT = 10;

/** How many reviews of a list end within the height of its region. */
function countWithin(region: HTMLElement): number {
  const items = [...region.querySelectorAll('ul > li')];
  const top = items[0]?.getBoundingClientRect().top ?? 0;
  return items.filter((item) => item.getBoundingClientRect().bottom - top <= region.clientHeight).length;
}

/** Makes the region as high as its first reviews. @param shownCount undefined: the height of the style sheet */
function useRegionHeight(
  region: React.RefObject<HTMLElement | null>,
  shownCount: number | undefined,
  loadedCount: number,
) {
  useLayoutEffect(() => {
    const list = region.current?.querySelector('ul');
    if (!region.current || !list) return;
    const { style } = region.current;
    const measure = () => {
      const next = shownCount === undefined || shownCount >= loadedCount ? undefined : list.children[shownCount];
      const height = next && next.getBoundingClientRect().top - list.getBoundingClientRect().top;
      style.maxHeight = height === undefined ? '' : `${height}px`;
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [region, shownCount, loadedCount]);
}

/**
 * Scrolls up to the beginning of the list when the reader has chosen another order or filter further down, in the sticky
 * selects. Going back keeps the position.
 */
function useScrollToStart(region: React.RefObject<HTMLElement | null>) {
  const { key } = useLocation();
  const isBack = useNavigationType() === 'POP';
  const lastKey = useRef(key);
  useLayoutEffect(() => {
    if (lastKey.current === key) return;
    lastKey.current = key;
    if (isBack) return;
    const { scrollY } = window;
    region.current?.scrollIntoView();
    // Never down: a beginning that is in sight stays where it is.
    if (window.scrollY > scrollY) window.scrollTo(0, scrollY);
  }, [key, isBack, region]);
}

function Reviews({ children, isFiltered, query }: ReviewsProps) {
  const totalCount = useShownCount();
  const [chosenCount, setChosenCount] = useHistoryState<number | undefined>(undefined);
  // A reader who sorts or filters wants to see the result.
  const shownCount = chosenCount ?? (isFiltered ? LIST_LIMIT_MAX : undefined);
  const region = useRef<HTMLElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const firstHidden = useRef(-1);
  const { data = NO_REVIEWS, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const { sort = 'newest' } = usePageQuery();
  // The previous reviews, which are shown until the new ones have arrived, must not move twice.
  const isNewestFirst = sort === 'newest' && !query.isPlaceholderData;
  const reviews = useMemo(() => (isNewestFirst ? newestFirst(data) : data), [isNewestFirst, data]);
  // Memoized: else each change of the region renders a hundred reviews again, also right after hydration.
  const items = useMemo(
    () =>
      reviews.map((review, index) => (
        <li key={review.id} aria-setsize={totalCount ?? -1} aria-posinset={index + 1}>
          {children(review)}
        </li>
      )),
    [reviews, totalCount, children],
  );
  const isCut = shownCount === undefined || shownCount < reviews.length;
  const { isHigher, hasMoreBelow } = useRegionState(region, end, reviews.length);
  // The region is measured until the reader has enlarged it. From then on its reviews are counted.
  const isMoreLoaded = shownCount === undefined ? isHigher : isCut;
  // Until it is known whether there is a button, the region is higher by its height: what follows does not move.
  const maxHeight = isHigher ? 'max-h-96' : 'max-h-111';
  useRegionHeight(region, shownCount, reviews.length);
  const keepScroll = useKeptScroll(region);
  useScrollToStart(region);

  function showMore(): void {
    const shown = shownCount ?? (region.current ? countWithin(region.current) : 0);
    const next = shown + SHOW_MORE_COUNT;
    setChosenCount(next);
    firstHidden.current = shown;
    if (hasNextPage && next > reviews.length) void fetchNextPage();
  }

  /** When the button disappears, the focus goes to the first review that was not shown. */
  const findNewReview = () =>
    region.current?.querySelectorAll('ul > li')[firstHidden.current]?.querySelector('a') ?? region.current;

  return (
    <div className="grid gap-4">
      <ScrollRegion
        ref={region}
        scrolls={isCut}
        aria-label="Reviews"
        aria-busy={query.isPlaceholderData}
        // Together with the scroll padding of the page, this is the height of header and selects.
        className={`letters scroll-mt-11 ${isCut ? 'overflow-y-auto print:max-h-none!' : ''} ${shownCount === undefined ? maxHeight : ''} ${isCut && hasMoreBelow ? 'fades-out' : ''}`}
        onScroll={keepScroll}
      >
        <ul>{items}</ul>
        <div ref={end} />
      </ScrollRegion>
      {isFetchNextPageError && (
        <Failed query={{ error: query.error, refetch: fetchNextPage }}>More reviews could not be loaded.</Failed>
      )}
      {(isMoreLoaded || (hasNextPage && !isFetchNextPageError)) && (
        <Button
          ref={(button) => passFocusOn(button, findNewReview)}
          variant="quiet"
          className="no-print justify-self-center"
          isPending={isFetchingNextPage}
          onClick={showMore}
        >
          Show more reviews
        </Button>
      )}
    </div>
  );
}
