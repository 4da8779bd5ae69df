import { ChevronLeft, ChevronRight } from 'lucide-react';
import { CATEGORIES, type Category } from '../../../contract/categories.ts';
import { Button } from '../../components/button.tsx';
import { CategoryIcon } from '../../components/category-icon.tsx';

interface ChoiceProps {
  selected: Category;
  onSelect: (category: Category) => void;
}

/** All categories at once; a tile leads straight to its rankings. */
export function CategoryTiles({ selected, onSelect }: ChoiceProps) {
  return (
    <ul aria-label="Categories" className="needs-script grid grid-cols-4 gap-2 sm:grid-cols-7 sm:gap-3">
      {CATEGORIES.map((category) => (
        <li key={category.kind}>
          <button
            type="button"
            aria-pressed={category === selected}
            style={{ '--hue': category.hue }}
            className="category card grid min-h-20 w-full content-center justify-items-center gap-1 px-1 py-3 text-sm font-semibold transition-colors duration-(--quick) hover:border-category-line hover:bg-category-soft aria-pressed:border-category aria-pressed:bg-category-soft aria-pressed:inset-ring aria-pressed:inset-ring-category"
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

/** One step forth or back, and a dot for each category. */
export function CategoryControls({ selected, onSelect, onStep }: ChoiceProps & { onStep: (step: 1 | -1) => void }) {
  return (
    <div className="no-print needs-script grid grid-cols-2 items-center gap-2 border-b border-line bg-sunken px-3 py-2 sm:grid-cols-[1fr_auto_1fr]">
      <Button variant="quiet" className="justify-self-start" onClick={() => onStep(-1)}>
        <ChevronLeft aria-hidden="true" className="size-5" />
        Previous
      </Button>
      <ul
        aria-label="Position"
        className="col-span-2 row-start-2 flex justify-center sm:col-span-1 sm:col-start-2 sm:row-start-1"
      >
        {CATEGORIES.map((category, index) => (
          <li key={category.kind}>
            {/* The tile owns the category's name; two buttons of one name would be hard to tell apart. */}
            <button
              type="button"
              aria-label={`${category.leaderboardLabel}, ${index + 1} of ${CATEGORIES.length}`}
              title={category.leaderboardLabel}
              aria-pressed={category === selected}
              className="group grid size-11 place-items-center rounded-full"
              onClick={() => onSelect(category)}
            >
              <span className="size-3 rounded-full border-2 border-line-strong transition-[width,background-color] duration-(--quick) group-hover:border-ink group-aria-pressed:w-6 group-aria-pressed:border-category group-aria-pressed:bg-category" />
            </button>
          </li>
        ))}
      </ul>
      <Button variant="quiet" className="justify-self-end sm:col-start-3" onClick={() => onStep(1)}>
        Next
        <ChevronRight aria-hidden="true" className="size-5" />
      </Button>
    </div>
  );
}
