import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import { COMPARED_MAX, PAGES } from '../../../contract/pages.ts';
import { comparisonAddress, setComparedSchools, useComparedSchools } from '../../compared-schools.ts';
import { countText } from '../../format.ts';
import { passFocusOn } from '../../navigation.ts';
import { useCurrentPage } from '../../page.ts';
import { Button, ToggleText } from '../form/button.tsx';
import { DRAWINGS, Drawing } from '../layout/drawing.tsx';
import { StandaloneLink } from '../layout/page-link.tsx';

interface CompareButtonProps {
  schoolId: number;
}

/** The state of the button for one school, and what it does. */
function useComparing(schoolId: number) {
  const chosen = useComparedSchools();
  const isChosen = chosen.includes(schoolId);
  const isFull = chosen.length === COMPARED_MAX && !isChosen;
  return {
    'aria-pressed': isChosen,
    disabled: isFull,
    title: isFull ? 'Four schools are chosen already.' : undefined,
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => {
      const others = chosen.filter((other) => other !== schoolId);
      flushSync(() => setComparedSchools(isChosen ? others : [...others, schoolId]));
      // The bar may have appeared over the button, which has the focus.
      currentTarget.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** Adds the school to the comparison or removes it. */
export function CompareButton({ schoolId }: CompareButtonProps) {
  const button = useComparing(schoolId);
  return (
    <Button variant="quiet" className="min-w-42" {...button}>
      <ToggleText isOn={button['aria-pressed']} on="In comparison">
        Compare
      </ToggleText>
    </Button>
  );
}

interface RowCompareButtonProps extends CompareButtonProps {
  /** The id of the element that names the row. */
  nameId: string;
}

/** The same button in a list of schools. On narrow screens it is an icon, which leaves the width to the names. */
export function RowCompareButton({ schoolId, nameId }: RowCompareButtonProps) {
  const button = useComparing(schoolId);
  return (
    <button
      type="button"
      aria-describedby={nameId}
      className="text-button no-print needs-script min-w-22 shrink-0 text-right @max-md:grid @max-md:size-11 @max-md:min-w-0 @max-md:place-items-center @max-md:rounded-sm @max-md:before:hidden @max-md:aria-pressed:bg-brand-soft"
      {...button}
    >
      <span className="@max-md:sr-only">
        <ToggleText isOn={button['aria-pressed']} on="Compared">
          Compare
        </ToggleText>
      </span>
      <Drawing d={DRAWINGS.compare} className="hidden size-5 @max-md:block" />
    </button>
  );
}

/** The schools chosen for a comparison, at the bottom of all pages but the comparison itself, until none is chosen. */
export function ComparisonBar() {
  const chosen = useComparedSchools();
  const page = useCurrentPage();
  if (chosen.length === 0 || page === PAGES.compare) return null;
  return (
    <section
      ref={passFocusOn}
      aria-label="Comparison"
      className="comparison-bar no-print sticky bottom-0 z-20 border-t border-line bg-surface shadow-lg"
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
