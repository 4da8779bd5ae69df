import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { foldAccents } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { FIRST_SCHOOL_COUNT, type SchoolName } from '../../../contract/schools.ts';
import type { SchoolFigures } from '../../../contract/search.ts';
import { ListRow } from '../../components/list/list-row.tsx';
import { WHOLE_LIST_MAX } from '../../components/list/list-states.tsx';
import { Score } from '../../components/school/score.tsx';

/** The height in pixels of a row with names of one line. Rows on screen are measured. */
const ROW_HEIGHT = 61;
/** The height in pixels of the sticky header and, where it is sticky too, the row of letters. */
const STICKY_HEIGHT = 112;
/** How many rows beyond the visible ones are rendered of a long list. */
const ROWS_AROUND = 8;

/** The number of columns, which the style sheet decides, and the distance of the grid from the top of the page. */
function useGrid(element: React.RefObject<HTMLElement | null>) {
  const [grid, setGrid] = useState({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const current = element.current;
    if (!current) return;
    const measure = () =>
      setGrid({
        columns: getComputedStyle(current).gridTemplateColumns.split(' ').length,
        top: current.getBoundingClientRect().top + window.scrollY,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return grid;
}

interface SchoolGridProps {
  schools: readonly SchoolName[];
  /** The figures of the schools that have reviews, by the schools' ids. */
  figures: ReadonlyMap<number, SchoolFigures>;
}

/** A grid for any number of schools. Of a long list only the visible ones are rendered. */
export function SchoolGrid({ schools, figures }: SchoolGridProps) {
  const list = useRef<HTMLUListElement>(null);
  const isHydrated = useIsHydrated();
  const { columns, top } = useGrid(list);
  // Measured heights are cached by the first school of a row, so that they survive filtering. A new function at each
  // rendering would make the virtualizer lay out all rows again.
  const getItemKey = useCallback((row: number) => `${columns} ${schools[row * columns]?.id}`, [columns, schools]);
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(schools.length / columns),
    estimateSize: () => ROW_HEIGHT,
    getItemKey,
    overscan: schools.length > WHOLE_LIST_MAX ? ROWS_AROUND : schools.length,
    scrollMargin: top,
    scrollPaddingStart: STICKY_HEIGHT,
    // The window's size until it is measured: a page must have its final height when its scroll position is restored.
    ...(isHydrated && { initialRect: { width: window.innerWidth, height: window.innerHeight } }),
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows.at(0), rows.at(-1)];
  // The server does not know the size of the screen: it renders only the first rows, not ten thousand.
  const from = first && isHydrated ? first.index * columns : 0;
  const to = last && isHydrated ? (last.index + 1) * columns : FIRST_SCHOOL_COUNT;
  const jump = useJump(list, (index) => virtualizer.scrollToIndex(Math.floor(index / columns), { align: 'start' }));
  return (
    <>
      {schools.length >= FIRST_SCHOOL_COUNT && <Letters schools={schools} onJump={jump} />}
      <ul
        ref={list}
        className="rows grid grid-cols-1 gap-x-10 lg:grid-cols-2"
        style={
          first && last && isHydrated
            ? { paddingTop: first.start - top, paddingBottom: virtualizer.getTotalSize() - (last.end - top) }
            : undefined
        }
      >
        {schools.slice(from, to).map((school, index) => (
          <SchoolRow
            key={school.id}
            school={school}
            figures={figures.get(school.id)}
            total={schools.length}
            position={from + index + 1}
            // The first school of a row is measured for the whole row. The others have the row's index too: an element
            // that was measured while there was one column stays observed.
            row={Math.floor((from + index) / columns)}
            ref={index % columns === 0 ? virtualizer.measureElement : undefined}
          />
        ))}
      </ul>
    </>
  );
}

interface SchoolRowProps {
  school: SchoolName;
  figures: SchoolFigures | undefined;
  total: number;
  /** Counted from 1. */
  position: number;
  row: number;
  ref: Ref<HTMLLIElement> | undefined;
}

/** Memoized, because the grid renders whenever it is scrolled or one of its reads arrives. */
const SchoolRow = memo(function SchoolRow({ school, figures, total, position, row, ref }: SchoolRowProps) {
  const [, averageRating, totalReviews, isBeingChecked] = figures ?? [];
  return (
    <ListRow
      to={pageAddress(PAGES.school, school.id)}
      name={school.schoolName}
      detail={school.country}
      isBeingChecked={isBeingChecked}
      aria-setsize={total}
      aria-posinset={position}
      data-index={row}
      ref={ref}
    >
      <Score averageRating={averageRating} totalReviews={totalReviews} isShort />
    </ListRow>
  );
});

/** Scrolls to a school and focuses it as soon as it is rendered. @returns a function that takes its index */
function useJump(list: React.RefObject<HTMLElement | null>, scroll: (index: number) => void) {
  const target = useRef<number>(undefined);
  useEffect(() => {
    if (target.current === undefined) return;
    const link = list.current?.querySelector<HTMLElement>(`[aria-posinset="${target.current + 1}"] a`);
    link?.focus({ preventScroll: true });
    if (link) target.current = undefined;
  });
  return (index: number) => {
    target.current = index;
    scroll(index);
  };
}

/** A subscription to a store that never changes. */
const subscribeToNothing = () => () => {};

/** True once the page is hydrated; false on the server and while hydrating, where nothing can be measured. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The index of the first name with an initial, in a list in the order of names; -1 if there is none. */
function findInitial(schools: readonly SchoolName[], letter: string): number {
  const initial = letter.toLowerCase();
  let [from, to] = [0, schools.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (foldAccents(schools[middle]?.schoolName ?? '') < initial) from = middle + 1;
    else to = middle;
  }
  return foldAccents(schools[from]?.schoolName ?? '').startsWith(initial) ? from : -1;
}

interface LettersProps {
  /** In the order of their names. While they are loading, the first ones. */
  schools: readonly SchoolName[];
  /** Called with the index of the first school of a letter. */
  onJump: (index: number) => void;
}

/** The letters that schools begin with. Each leads to its first school. */
function Letters({ schools, onJump }: LettersProps) {
  const initials = useMemo(() => ALPHABET.map((letter) => [letter, findInitial(schools, letter)] as const), [schools]);
  return (
    <nav
      aria-label="Schools by letter"
      className="no-print needs-script z-10 mb-2 grid grid-cols-[repeat(auto-fit,minmax(24px,1fr))] bg-paper md:sticky md:top-14"
    >
      {initials.map(([letter, index]) => (
        <button
          key={letter}
          type="button"
          disabled={index < 0}
          className="min-h-touch rounded-sm font-semibold not-disabled:hover:bg-sunken disabled:text-ink-soft"
          onClick={() => onJump(index)}
        >
          {letter}
        </button>
      ))}
    </nav>
  );
}
