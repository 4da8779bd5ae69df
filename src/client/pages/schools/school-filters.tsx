import { memo, useEffect, useId, useRef, useState } from 'react';
import { useNavigation } from 'react-router';
import { foldAccents, searchTextOf } from '../../../contract/folding.ts';
import { PAGES, type PageQuery } from '../../../contract/pages.ts';
import type { SchoolSearch } from '../../../contract/search.ts';
import { OFFERED_MIN_RATINGS } from '../../../contract/stars.ts';
import { Button } from '../../components/form/button.tsx';
import { FieldFrame, SearchInput, Select } from '../../components/form/fields.tsx';
import { isForInputMethod } from '../../components/form/option-list.ts';
import { countText } from '../../format.ts';
import { usePageQuery, useQueryChange } from '../../page.ts';

/** The delay after the last key press, so that a word is searched for once and not at every letter. */
const SEARCH_DELAY_MS = 200;

/** A component of its own, so that typing renders nothing else. */
function SearchField({ q = '' }: PageQuery) {
  // Replaces the address: the back button must not undo single letters.
  const change = useQueryChange({ replace: true });
  const [typed, setTyped] = useState(q);
  const sentText = useRef(q);
  const searchTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { location: next } = useNavigation();
  useEffect(() => () => clearTimeout(searchTimer.current), []);
  useEffect(() => {
    // A link was followed meanwhile: the pending search must not navigate back.
    if (next && next.pathname !== PAGES.allSchools.path) clearTimeout(searchTimer.current);
  }, [next]);
  useEffect(() => {
    // Something else has changed the address, such as the back button.
    if (q !== sentText.current) setTyped(q);
    sentText.current = q;
  }, [q]);

  function search(text: string): void {
    clearTimeout(searchTimer.current);
    sentText.current = searchTextOf(text);
    change({ q: sentText.current });
  }

  return (
    <FieldFrame label="Search schools" className="grow-2 basis-full sm:basis-96">
      {(attributes) => (
        <SearchInput
          isLarge
          name="q"
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          value={typed}
          onChange={({ target: { value } }) => {
            setTyped(value);
            clearTimeout(searchTimer.current);
            searchTimer.current = setTimeout(() => search(value), SEARCH_DELAY_MS);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isForInputMethod(event)) search(typed);
          }}
          {...attributes}
        />
      )}
    </FieldFrame>
  );
}

const NO_COUNTRIES: SchoolSearch['countries'] = [];

interface SchoolFiltersProps {
  /** The countries that have schools. Undefined while they are unknown. */
  countries: SchoolSearch['countries'] | undefined;
  /** Undefined while it is unknown. */
  total: number | undefined;
}

/**
 * The search form of the page of all schools, filled from the address, with the number of schools found. Memoized,
 * because it offers two hundred countries and the page renders with each of its reads.
 */
export const SchoolFilters = memo(function SchoolFilters({ countries = NO_COUNTRIES, total }: SchoolFiltersProps) {
  const query = usePageQuery();
  const { q, country = '', minRating = '', order = '' } = query;
  const change = useQueryChange({ replace: true });
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const names = countries.map((one) => one.country);
  const listedCountry = country && names.find((name) => foldAccents(name) === foldAccents(country));
  const filterCount = [country, minRating].filter(Boolean).length;
  return (
    <search>
      <form
        method="get"
        action={PAGES.allSchools.path}
        onSubmit={(event) => event.preventDefault()}
        className="no-print mb-4 flex flex-wrap items-end gap-x-4 gap-y-3 sm:[--inside:4rem]"
      >
        <SearchField q={q ?? ''} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="needs-script button button-quiet sm:hidden"
        >
          {filterCount > 0 ? `Filters (${filterCount})` : 'Filters'}
        </button>
        {/* The number is beside the button that narrow screens have, and below the fields on wide ones. */}
        <p
          className="min-h-lh text-ink-soft max-sm:ml-auto max-sm:self-center sm:order-last sm:w-full"
          aria-live="polite"
        >
          {/* If nothing is found, the list below shows a message. */}
          {total !== undefined && total > 0 && countText(total, 'school')}
        </p>
        <div
          id={id}
          className={`flex grow basis-full flex-wrap gap-x-4 gap-y-3 sm:basis-120 ${isOpen ? '' : 'folded'}`}
        >
          <Select
            label="Country"
            name="country"
            className="label-inside min-w-0 grow basis-36"
            value={listedCountry ?? country}
            onChange={({ target }) => change({ country: target.value })}
            options={[
              ['', 'Any country'],
              ...(country && listedCountry === undefined ? [country, ...names] : names).map(
                (name) => [name, name] as const,
              ),
            ]}
          />
          <Select
            label="Minimum rating"
            name="minRating"
            className="label-inside min-w-0 grow basis-36"
            value={minRating}
            onChange={({ target }) => change({ minRating: target.value })}
            options={[
              ['', 'Any rating'],
              ...OFFERED_MIN_RATINGS.map((rating) => [rating, `${rating.toFixed(1)} and up`] as const),
            ]}
          />
          {/* The schools that a typed text finds are sorted by how well they match it. */}
          {q === undefined && (
            <Select
              label="Order"
              name="order"
              className="label-inside min-w-0 grow basis-36"
              value={order}
              onChange={({ target }) => change({ order: target.value })}
              options={[
                ['', 'By name'],
                ['reviewed', 'Most reviewed'],
              ]}
            />
          )}
          <Button type="submit" variant="quiet" className="without-script">
            Apply
          </Button>
        </div>
      </form>
    </search>
  );
});
