import type { Category, CategoryIconName } from '../../../contract/categories.ts';
import { Drawing } from '../layout/drawing.tsx';
import { ARCH } from './windows.tsx';

/** The path of the symbol inside each window, in a 24 by 24 view box. */
const CONTENTS: Record<CategoryIconName, string> = {
  cup: 'M9 8.75h6v3.75a3 3 0 0 1-6 0ZM9 9.75H6.9v.75a2.25 2.25 0 0 0 2.25 2.25M15 9.75h2.1v.75a2.25 2.25 0 0 1-2.25 2.25M12 15.5v3M9.5 18.5h5',
  people:
    'M6.9 21.5v-3a2.4 2.4 0 0 1 4.8 0v3M12.3 21.5v-3a2.4 2.4 0 0 1 4.8 0v3M9.3 11.2a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8ZM14.7 11.2a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8Z',
  house: 'M7 14l5-4.5 5 4.5M8.5 13v8.5M15.5 13v8.5',
  case: 'M7.5 12.5h9v6h-9ZM10 12.5v-.75a2 2 0 0 1 4 0v.75M7.5 15.5h9',
  moon: 'M15.9 14.4a4.2 4.2 0 1 1-4.4-6 3.4 3.4 0 0 0 4.4 6Z',
  book: 'M12 11.5v7M12 11.5c-1.2-.9-2.8-1.2-4.5-1v7c1.7-.2 3.3.1 4.5 1 1.2-.9 2.8-1.2 4.5-1v-7c-1.7-.2-3.3.1-4.5 1',
  compass: 'M12 9a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM13.75 11.75l-1 2.5-2.5 1 1-2.5Z',
};

/** The icon of a category, in the current text colour: an arched window with a symbol in it. */
export function CategoryIcon({ category, className }: { category: Category; className?: string }) {
  return <Drawing d={`${ARCH}${CONTENTS[category.icon]}`} className={className} />;
}
