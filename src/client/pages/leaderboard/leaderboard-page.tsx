import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { chosenCategory, leaderboardCallOf } from '../../../contract/page-reads.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { CategoryIcon } from '../../components/school/category-icon.tsx';
import { useDeclaredRead, usePageQuery, useQueryChange } from '../../page.ts';
import { RankingPanel } from './ranking-panel.tsx';

const READ_OPTIONS = {
  // Choosing a category reads it again (spec §4), but not when the loader has just done so.
  staleTime: 2_000,
  refetchOnWindowFocus: false,
  // The loader has asked already: after a failure only Retry and another choice ask again.
  enabled: ({ state }: { state: { status: string } }) => state.status !== 'error',
};

export function Component() {
  const change = useQueryChange({ replace: true });
  const address = usePageQuery();
  const category = chosenCategory(address);
  const isWeighted = address.order === 'weighted';
  const index = CATEGORIES.indexOf(category);
  const query = useDeclaredRead(leaderboardCallOf(address), READ_OPTIONS);
  const open = (chosen: Category, weighs: boolean) =>
    change({ category: chosen.kind, order: weighs ? 'weighted' : '' });
  const choose = (chosen: Category) => open(chosen, isWeighted);

  return (
    <div className="page grid gap-5 pt-8 pb-16 sm:pt-10">
      <PageHeading subtitle="Compare schools across different categories and see which universities rank highest in student reviews">
        University Leaderboard
      </PageHeading>
      <CategoryTiles selected={category} onSelect={choose} />
      <div className="card min-w-0 overflow-hidden" data-category={category.kind}>
        <RankingPanel
          category={category}
          query={query}
          isWeighted={isWeighted}
          onWeigh={(weighs) => open(category, weighs)}
          controls={
            <CategoryControls
              selected={category}
              onSelect={choose}
              // Beyond one end it goes on at the other.
              onStep={(step) => choose(CATEGORIES.at((index + step) % CATEGORIES.length) ?? category)}
            />
          }
        />
      </div>
    </div>
  );
}

interface ChoiceProps {
  selected: Category;
  onSelect: (category: Category) => void;
}

/** The width of the row's padding, in pixels. */
const ROW_PADDING = 16;

/** Scrolls the row so far that the whole tile is visible. It does not scroll the page, as `scrollIntoView` would. */
function showTile(tile: HTMLElement | null): void {
  const row = tile?.parentElement;
  if (!row) return;
  const start = tile.offsetLeft - ROW_PADDING;
  row.scrollLeft = Math.max(
    start + tile.offsetWidth + 2 * ROW_PADDING - row.clientWidth,
    Math.min(row.scrollLeft, start),
  );
}

/** All categories in one row, which scrolls sideways on narrow screens. A tile shows the rankings of its category. */
function CategoryTiles({ selected, onSelect }: ChoiceProps) {
  return (
    <ul
      aria-label="Categories"
      className="no-print needs-script relative -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:-mx-1 sm:gap-3 sm:px-1"
    >
      {CATEGORIES.map((category) => (
        <li key={category.kind} ref={category === selected ? showTile : undefined} className="shrink-0 grow basis-22">
          <button
            type="button"
            aria-pressed={category === selected}
            data-category={category.kind}
            className="card grid min-h-18 w-full content-center justify-items-center gap-1 px-1 py-2 text-sm font-semibold transition-colors duration-(--quick) hover:border-category-line hover:bg-category-soft aria-pressed:border-category aria-pressed:bg-category-soft aria-pressed:inset-ring aria-pressed:inset-ring-category"
            onClick={() => onSelect(category)}
          >
            <CategoryIcon category={category} className="size-6 text-category" />
            {category.leaderboardLabel}
          </button>
        </li>
      ))}
    </ul>
  );
}

const STEP = 'text-link min-h-touch px-1 text-sm font-semibold sm:px-3 sm:text-base';

/** Buttons for the previous and the next category, and a dot for each one, below the list. */
function CategoryControls({ selected, onSelect, onStep }: ChoiceProps & { onStep: (step: 1 | -1) => void }) {
  return (
    <div className="no-print needs-script flex flex-wrap items-center justify-between border-y border-line">
      <button type="button" className={STEP} onClick={() => onStep(-1)}>
        Previous
      </button>
      <ul aria-label="Position" className="flex">
        {CATEGORIES.map((category, index) => (
          <li key={category.kind}>
            {/* A different name from that of the tile: two buttons with the same name would be hard to distinguish. */}
            <button
              type="button"
              aria-label={`${category.leaderboardLabel}, ${index + 1} of ${CATEGORIES.length}`}
              title={category.leaderboardLabel}
              aria-pressed={category === selected}
              className="group grid h-11 w-6.5 place-items-center rounded-full sm:w-11"
              onClick={() => onSelect(category)}
            >
              <span className="size-3 rounded-full border-2 border-line-strong transition-[width,background-color] duration-(--quick) group-hover:border-ink group-aria-pressed:w-5 group-aria-pressed:border-category group-aria-pressed:bg-category sm:group-aria-pressed:w-6" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={STEP} onClick={() => onStep(1)}>
        Next
      </button>
    </div>
  );
}
