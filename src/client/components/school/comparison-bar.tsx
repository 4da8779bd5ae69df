import { PAGES } from '../../../contract/pages.ts';
import { comparisonAddress, setComparedSchools, useComparedSchools } from '../../compared-schools.ts';
import { countText } from '../../format.ts';
import { passFocusOn } from '../../navigation.ts';
import { useCurrentPage } from '../../page.ts';
import { StandaloneLink } from '../layout/page-link.tsx';

/** The schools chosen for a comparison, at the bottom of all pages but the comparison itself, until none is chosen. */
export function ComparisonBar() {
  const chosen = useComparedSchools();
  const page = useCurrentPage();
  if (chosen.length === 0 || page === PAGES.compare) return null;
  return (
    <section
      ref={passFocusOn}
      aria-label="Comparison"
      className="no-print sticky bottom-0 z-20 border-t border-line bg-surface shadow-lg"
    >
      <div className="page flex min-h-14 items-center justify-between gap-4">
        <p className="tabular-nums">
          <span>{`${countText(chosen.length, 'school')} · `}</span>
          <StandaloneLink to={comparisonAddress(chosen)} className="font-semibold">
            Compare
          </StandaloneLink>
        </p>
        <button
          type="button"
          className="text-link -mr-3 min-h-touch px-3 text-sm"
          onClick={() => setComparedSchools([])}
        >
          Empty
        </button>
      </div>
    </section>
  );
}
