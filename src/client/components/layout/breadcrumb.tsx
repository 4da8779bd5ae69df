import type { Category } from '../../../contract/categories.ts';
import { categoryPages, PAGES, pageAddress } from '../../../contract/pages.ts';
import { StandaloneLink } from './page-link.tsx';

export interface Step {
  readonly label: string;
  readonly to: string;
}

/** The steps to a category at a school. */
export const stepsTo = (category: Category, school: { schoolId: number; schoolName: string }): Step[] => [
  { label: school.schoolName, to: pageAddress(PAGES.school, school.schoolId) },
  { label: category.label, to: pageAddress(categoryPages(category).list, school.schoolId) },
];

interface BreadcrumbProps {
  /** The ancestors of this page, topmost first, without the page itself. */
  trail: readonly Step[];
}

/** Up to this many steps share one line, however long their names: the heading below says more. */
const ONE_LINE_MAX = 3;

/** A name of up to so many letters is never cut. */
const SHORT_NAME_MAX = 9;

/** The ancestors of a page. A plain list, because the menu is the page's only navigation landmark. */
export function Breadcrumb({ trail }: BreadcrumbProps) {
  const isOneLine = trail.length <= ONE_LINE_MAX;
  return (
    <ol aria-label="Breadcrumb" className={`flex min-w-0 items-center gap-x-2 ${isOneLine ? '' : 'flex-wrap'}`}>
      {trail.map(({ label, to }, index) => (
        // When space is short, the first step is cut before the last, and the last before the others. The factors are
        // this far apart because a fraction of a pixel is enough to cut a name.
        <li
          key={to}
          className={`flex min-w-0 items-center gap-2 last:not-first:shrink-[10000] ${label.length > SHORT_NAME_MAX ? 'first:min-w-16 first:shrink-[100000000]' : 'first:shrink-0'}`}
        >
          {index > 0 && (
            <span aria-hidden="true" className="text-ink-soft">
              /
            </span>
          )}
          <StandaloneLink to={to} state={{ name: label }} className="min-w-0">
            <bdi className={`min-w-0 wrap-anywhere ${isOneLine ? 'truncate print:whitespace-normal' : ''}`}>
              {label}
            </bdi>
          </StandaloneLink>
        </li>
      ))}
    </ol>
  );
}
