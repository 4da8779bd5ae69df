import type { ReactNode } from 'react';

/** The nearest hills of the landing page's picture. */
const HILL_LINE =
  'M0 38C65 38 65 2 130 2S195 27 260 27S325 0 390 0S455 7 520 7S585 40 650 40S715 5 780 5S845 24 910 24S975 16 1040 16H1170S1235 18 1300 18S1365 4 1430 4S1495 33 1560 33L1600 20V40H0Z';

/** The dark band at the top of a page, with the hills of the landing page as its lower edge. */
export function Dusk({ children }: { children: ReactNode }) {
  return (
    <div className="overflow-x-clip bg-night text-on-night">
      {children}
      <svg
        aria-hidden="true"
        viewBox="0 0 1600 40"
        preserveAspectRatio="none"
        className="scheme-light-dark block h-3 w-full min-w-5xl fill-paper forced-colors:hidden print:hidden"
      >
        <path d={HILL_LINE} />
      </svg>
    </div>
  );
}
