import { useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { foldAccents } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { listSchools, type SchoolName } from '../../../contract/schools.ts';
import { callQuery } from '../../api.ts';
import { Field } from '../../components/field.tsx';
import { ListRow } from '../../components/list-row.tsx';
import { Empty, QueryList } from '../../components/list-states.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { useIsHydrated } from '../../hydrated.ts';
import { usePageRead } from '../../page-reads.ts';

/** A row whose names take one line each, in pixels; those on screen are measured. */
const ROW_HEIGHT = 61;
/** Rows in the document beyond what is on screen. */
const AROUND = 8;

/** How many schools the style sheet puts beside each other, and how far below the top of the page they begin. */
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

/** A grid of any number of schools, of which only what is on screen is in the document. */
function SchoolGrid({ schools }: { schools: readonly SchoolName[] }) {
  const list = useRef<HTMLUListElement>(null);
  const isHydrated = useIsHydrated();
  const { columns, top } = useGrid(list);
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(schools.length / columns),
    estimateSize: () => ROW_HEIGHT,
    // What was measured is known by the schools in it, however they are filtered.
    getItemKey: (row) => `${columns} ${schools[row * columns]?.id}`,
    overscan: AROUND,
    scrollMargin: top,
  });
  const rows = virtualizer.getVirtualItems();
  const [first, last] = [rows.at(0), rows.at(-1)];
  // The server knows no screen: it writes all it is given.
  const from = first && isHydrated ? first.index * columns : 0;
  const to = last && isHydrated ? (last.index + 1) * columns : schools.length;
  return (
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
        <ListRow
          key={school.id}
          to={pageAddress(PAGES.school, school.id)}
          name={school.schoolName}
          detail={school.country}
          aria-setsize={schools.length}
          aria-posinset={from + index + 1}
          // As high as its row.
          {...(index % columns === 0 && { ref: virtualizer.measureElement, 'data-index': (from + index) / columns })}
        />
      ))}
    </ul>
  );
}

/** @param isWhole whether these are all, and may be counted and searched */
function FilteredGrid({ schools, isWhole }: { schools: readonly SchoolName[]; isWhole: boolean }) {
  const [filter, setFilter] = useState('');
  const wanted = foldAccents(useDeferredValue(filter).trim());
  const shown = wanted ? schools.filter(({ schoolName }) => foldAccents(schoolName).includes(wanted)) : schools;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <Field
          label="Search schools"
          name="filter"
          type="search"
          autoComplete="off"
          className="w-full max-w-xl"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <p className="min-h-lh text-ink-soft" aria-live="polite">
          {isWhole && `${shown.length.toLocaleString('en-US')} ${shown.length === 1 ? 'school' : 'schools'}`}
        </p>
      </div>
      {isWhole && shown.length === 0 && <Empty>No schools found</Empty>}
      <SchoolGrid schools={shown} />
    </>
  );
}

export function Component() {
  const first = usePageRead(listSchools);
  const schools = useQuery({ ...callQuery(listSchools), placeholderData: first.data });
  return (
    <div className="page py-8">
      <PageHeading className="mb-4">All schools</PageHeading>
      <QueryList
        query={schools}
        loading="Loading schools..."
        empty="No schools have been added yet."
        failed="The schools could not be loaded."
      >
        {(rows) => <FilteredGrid schools={rows} isWhole={!schools.isPlaceholderData} />}
      </QueryList>
    </div>
  );
}
