import { useRef } from 'react';
import { PAGES } from '../../../contract/pages.ts';
import { RELATIONS, type Relation, SORTS, type Sort } from '../../../contract/review-filters.ts';
import { Button } from '../../components/form/button.tsx';
import { Select } from '../../components/form/fields.tsx';
import { TextLink } from '../../components/layout/page-link.tsx';
import { countText, numberText } from '../../format.ts';
import { usePageQuery, useQueryChange } from '../../page.ts';
import { useSummary, useSummaryRead } from '../../shared/reviews/reading.ts';
import { countOf, Histogram, Trend } from './histogram.tsx';

const SORT_LABELS: Readonly<Record<Sort, string>> = {
  newest: 'Newest',
  oldest: 'Oldest',
  highest: 'Highest rated',
  lowest: 'Lowest rated',
  helpful: 'Most helpful',
};

const GROUP_LABELS: Readonly<Record<Relation, string>> = {
  student: 'Students',
  alumnus: 'Alumni',
  parent: 'Parents',
  educator: 'Educators',
};

/** The number of reviews that the filter in the address selects; undefined while it is unknown. */
export function useShownCount(): number | undefined {
  const summary = useSummary();
  const { stars } = usePageQuery();
  return summary && (stars ? countOf(summary, Number(stars)) : summary.totalReviews);
}

/** Whether the address asks for a part of the reviews, or for another order. */
export function useIsFiltered(): boolean {
  const { category: _, ...filters } = usePageQuery();
  return Object.keys(filters).length > 0;
}

/** Beside the heading: the number of reviews shown, and a button that removes the filter. */
export function FilterState() {
  const { category, stars = '', relation = '' } = usePageQuery();
  const filter = useQueryChange();
  const summary = useSummary();
  const shown = useShownCount();
  const count = useRef<HTMLParagraphElement>(null);
  if (!summary || shown === undefined) return null;
  const { student, alumnus, parent, educator, undeclared } = summary.relations;
  const all = countText(student + alumnus + parent + educator + undeclared, 'review');
  const isFiltered = stars !== '' || relation !== '';
  return (
    // On phones a filtered number has a line of its own, because the link to the form is beside the heading.
    <div
      className={`flex items-center gap-x-4 ${isFiltered ? 'max-sm:order-last max-sm:basis-full max-sm:justify-between' : ''}`}
    >
      <p ref={count} tabIndex={-1} aria-live="polite" className="text-sm text-ink-soft">
        {isFiltered ? `${numberText(shown)} of ${all}` : all}
      </p>
      {isFiltered && (
        <form
          method="get"
          onSubmit={(event) => {
            event.preventDefault();
            filter({ stars: '', relation: '', sort: '' });
            // The button disappears.
            count.current?.focus({ preventScroll: true });
          }}
        >
          {category && <input type="hidden" name="category" value={category} />}
          <button type="submit" className="text-button no-print">
            Clear filters
          </button>
        </form>
      )}
    </div>
  );
}

/** The histogram, the trend, and the controls to sort and filter, which need no summary and remain if that fails. */
export function Filters() {
  const query = usePageQuery();
  const filter = useQueryChange();
  const { data: summary, isError } = useSummaryRead();
  const isFiltered = useIsFiltered();
  const isEmpty = summary?.totalReviews === 0 && !isFiltered;
  if (isEmpty || !(summary || isError)) return null;
  return (
    // This element and the form have no boxes of their own: in one, the sticky selects would scroll away with its end.
    <div className="contents">
      {summary?.isBeingChecked && (
        <p className="mb-2 border-l-4 border-accent pl-3 font-semibold">
          <span>Unusual activity: recent reviews here are being checked.</span>{' '}
          <TextLink to={`${PAGES.scores.path}#left-out`} className="no-print text-sm font-normal">
            Why?
          </TextLink>
        </p>
      )}
      {summary && <Trend summary={summary} />}
      <form
        method="get"
        className="contents"
        onSubmit={(event) => {
          event.preventDefault();
          // Safe: the event of a form that is sent.
          const { submitter } = event.nativeEvent as SubmitEvent;
          if (submitter instanceof HTMLButtonElement && submitter.name === 'stars') filter({ stars: submitter.value });
        }}
      >
        {query.category && <input type="hidden" name="category" value={query.category} />}
        <div className="mt-2">{summary && <Histogram summary={summary} chosen={Number(query.stars ?? 0)} />}</div>
        {/* With large text on a phone, the words of a select need the whole width, and two lines would hide the list. */}
        <div className="no-print sticky top-14 z-10 grid grid-cols-2 gap-3 bg-paper py-2 max-[16rem]:static max-[16rem]:grid-cols-1">
          <Select
            label="Sort by"
            name="sort"
            className="label-inside"
            value={query.sort ?? 'newest'}
            // The first order is the default, which the address leaves out.
            onChange={({ target }) => filter({ sort: target.value })}
            options={SORTS.map((sort) => [sort, SORT_LABELS[sort]])}
          />
          <Select
            label="Written by"
            name="relation"
            className="label-inside"
            value={query.relation ?? ''}
            onChange={({ target }) => filter({ relation: target.value })}
            options={[['', 'Everyone'], ...RELATIONS.map((relation) => [relation, GROUP_LABELS[relation]] as const)]}
          />
        </div>
        {/* The form sends the value of the pressed button: this one keeps the stars, a bar replaces them. */}
        <Button
          type="submit"
          {...(query.stars && { name: 'stars', value: query.stars })}
          variant="quiet"
          className="without-script no-print"
        >
          Apply
        </Button>
      </form>
    </div>
  );
}
