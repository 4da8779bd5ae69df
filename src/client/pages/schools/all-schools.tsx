import { useQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { foldAccents } from '../../../contract/folding.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { listSchools, type SchoolName } from '../../../contract/schools.ts';
import { callQuery } from '../../api.ts';
import { Field } from '../../components/field.tsx';
import { Empty, QueryList } from '../../components/list-states.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useIsLive } from '../../live.ts';
import { usePageRead } from '../../page-reads.ts';

// In pixels, and once more in the classes of DrawnGrid.
const ROW_HEIGHT = 96;
const GAP = 16;
const CARD_WIDTH_MIN = 260;
/** Rows drawn beyond what is on screen. */
const AROUND = 6;

/** How many cards fit beside each other, and how far below the top of the page they begin. */
function useGrid(element: React.RefObject<HTMLElement | null>) {
  const [grid, setGrid] = useState({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    const current = element.current;
    if (!current) return;
    const measure = () =>
      setGrid({
        columns: Math.max(1, Math.floor((current.clientWidth + GAP) / (CARD_WIDTH_MIN + GAP))),
        top: current.getBoundingClientRect().top + window.scrollY,
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return grid;
}

function SchoolCard({ school }: { school: SchoolName }) {
  return (
    <PageLink
      to={pageAddress(PAGES.school, school.id)}
      className="card flex h-full items-center gap-4 px-5 transition-colors hover:border-brand hover:bg-brand-soft"
    >
      <span
        aria-hidden="true"
        className="grid size-11 shrink-0 place-items-center rounded-full bg-brand-soft font-serif text-lg font-semibold text-brand"
      >
        {school.schoolName.match(/\p{L}|\p{N}/u)?.[0].toUpperCase()}
      </span>
      <span className="line-clamp-2 font-semibold">{school.schoolName}</span>
    </PageLink>
  );
}

/** The same cards in the same places, as long as nothing can be measured. */
function DrawnGrid({ schools }: { schools: readonly SchoolName[] }) {
  return (
    <ul className="grid auto-rows-[96px] grid-cols-[repeat(auto-fill,minmax(min(260px,100%),1fr))] gap-4">
      {schools.map((school) => (
        <li key={school.id}>
          <SchoolCard school={school} />
        </li>
      ))}
    </ul>
  );
}

/** A grid of any number of schools, of which only what is on screen is drawn. */
function SchoolGrid({ schools }: { schools: readonly SchoolName[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { columns, top } = useGrid(list);
  const rows = Math.ceil(schools.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => ROW_HEIGHT,
    gap: GAP,
    overscan: AROUND,
    scrollMargin: top,
  });
  return (
    <ul ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().flatMap(({ index: row, start }) =>
        schools.slice(row * columns, (row + 1) * columns).map((school, column) => (
          <li
            key={school.id}
            aria-setsize={schools.length}
            aria-posinset={row * columns + column + 1}
            className="absolute top-0 left-0"
            style={{
              height: ROW_HEIGHT,
              width: `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`,
              left: `calc((100% + ${GAP}px) / ${columns} * ${column})`,
              transform: `translateY(${start - top}px)`,
            }}
          >
            <SchoolCard school={school} />
          </li>
        )),
      )}
    </ul>
  );
}

/** @param isWhole whether these are all, and may be counted and searched */
function FilteredGrid({ schools, isWhole }: { schools: readonly SchoolName[]; isWhole: boolean }) {
  const isLive = useIsLive();
  const [filter, setFilter] = useState('');
  const wanted = foldAccents(useDeferredValue(filter).trim());
  const shown = wanted ? schools.filter(({ schoolName }) => foldAccents(schoolName).includes(wanted)) : schools;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <Field
          label="Filter"
          name="filter"
          type="search"
          autoComplete="off"
          placeholder="Part of a name"
          className="w-full max-w-sm"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <p className="min-h-lh text-ink-soft" aria-live="polite">
          {isWhole && `${shown.length.toLocaleString('en-US')} ${shown.length === 1 ? 'school' : 'schools'}`}
        </p>
      </div>
      {isWhole && shown.length === 0 && <Empty>No schools found</Empty>}
      {isLive ? <SchoolGrid schools={shown} /> : <DrawnGrid schools={shown} />}
    </>
  );
}

export function Component() {
  const first = usePageRead(listSchools);
  const schools = useQuery({ ...callQuery(listSchools), placeholderData: first.data });
  return (
    <div className="page py-10">
      <PageHeading className="mb-6" subtitle="Choose one to read its reviews.">
        All schools
      </PageHeading>
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
