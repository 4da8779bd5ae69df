import { keepPreviousData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { isSearch, readFacets, readSearch } from '../../../contract/page-reads.ts';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import { FIRST_SCHOOL_COUNT, listSchools } from '../../../contract/schools.ts';
import {
  type FoundSchool,
  getSchoolFigures,
  type SchoolFigures,
  type SchoolSearch,
  searchSchools,
} from '../../../contract/search.ts';
import { getVoices } from '../../../contract/voices.ts';
import type { CallParts } from '../../api.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { ListRow } from '../../components/list/list-row.tsx';
import { Empty, Loaded, Loading, QueryList } from '../../components/list/list-states.tsx';
import { ShowMore } from '../../components/list/paged-list.tsx';
import { Score } from '../../components/school/score.tsx';
import { focusPage } from '../../navigation.ts';
import { useDeclaredRead, usePagedRead, usePageQuery, useRead } from '../../page.ts';
import { AddSchool } from '../../shared/proposals/add-button.tsx';
import { SchoolFilters } from './school-filters.tsx';
import { SchoolGrid } from './school-grid.tsx';
import { SiteVoices } from './site-voices.tsx';

const LOADING = 'Loading schools...';
const NONE_YET = 'No schools have been added yet.';

/**
 * All schools by name. While they are loading, these are the first ones, which the server-rendered document contains.
 * The others are deferred: a phone would be held up if ten thousand were rendered in one piece.
 */
function useAllSchools(enabled: boolean) {
  const first = useRead(listSchools, { query: { limit: FIRST_SCHOOL_COUNT } }, { enabled }).data;
  const { data, isError, error, refetch } = useRead(listSchools, {}, { enabled });
  return { data: useDeferredValue(data) ?? first, isError, error, refetch };
}

/** The figures of all schools that have reviews, by the schools' ids. */
function useSchoolFigures(enabled: boolean): ReadonlyMap<number, SchoolFigures> {
  const { data } = useRead(getSchoolFigures, {}, { enabled });
  return useMemo(() => new Map(data?.map((figures) => [figures[0], figures] as const)), [data]);
}

interface DirectoryProps {
  schools: ReturnType<typeof useAllSchools>;
  figures: ReadonlyMap<number, SchoolFigures>;
}

/** All schools by name, below what people say about some of them. */
function Directory({ schools, figures }: DirectoryProps) {
  const { data: voices = [], isPending } = useDeclaredRead(getVoices);
  // Rendered together: the grid measures its position on the page when it is mounted.
  if (isPending) return <Loading fillsPage>{LOADING}</Loading>;
  return (
    <>
      {/* One quote on narrow screens, so that the names begin on the first screen. */}
      <SiteVoices voices={voices} className="mb-6 max-lg:[&_figure+figure]:hidden" />
      <QueryList query={schools} loading={LOADING} fillsPage empty={NONE_YET} failed="The schools could not be loaded.">
        {(rows) => <SchoolGrid schools={rows} figures={figures} />}
      </QueryList>
    </>
  );
}

/** The search field is not remounted when the list below it changes between all schools and search results. */
export function Component() {
  const address = usePageQuery();
  const isFiltered = isSearch(address);
  const schools = useAllSchools(!isFiltered);
  const figures = useSchoolFigures(!isFiltered);
  const search = usePagedRead(searchSchools, readSearch(address).parts as CallParts<typeof searchSchools>, {
    placeholderData: keepPreviousData,
    enabled: isFiltered,
  });
  const found = search.data?.[0];
  const facets = useRead(searchSchools, readFacets().parts as CallParts<typeof searchSchools>, {
    enabled: !isFiltered,
  }).data;
  const { countries, total } = (isFiltered ? found : facets) ?? {};
  return (
    <div className="page py-8">
      <PageHeading className="mb-4">All schools</PageHeading>
      <SchoolFilters countries={countries} total={total} />
      {isFiltered ? <FoundSchools query={search} /> : <Directory schools={schools} figures={figures} />}
      <AddSchool
        typed={address.q}
        question={isFiltered && found?.schools.some(({ match }) => isInexact(match)) ? 'Not among these?' : undefined}
      />
    </div>
  );
}

const countryOf = (location: string) => location.slice(location.lastIndexOf(',') + 1).trim();

/** Whether a school was found with a typo, or without some of the typed words. */
const isInexact = (match: FoundSchool['match']) => match === 'typo' || match === 'close';

interface SchoolRowsProps {
  schools: readonly FoundSchool[];
  /** How many found schools are listed before these. */
  before: number;
  /** How many were found in all. */
  total: number;
}

function SchoolRows({ schools, before, total }: SchoolRowsProps) {
  return (
    <ul className="rows grid grid-cols-1 gap-x-10 lg:grid-cols-2">
      {schools.map(({ id, schoolName, location, alias, averageRating, totalReviews, isBeingChecked }, index) => (
        <ListRow
          key={id}
          to={pageAddress(PAGES.school, id)}
          name={schoolName}
          detail={alias === undefined ? countryOf(location) : `${countryOf(location)} · also known as ${alias}`}
          comparesId={id}
          isBeingChecked={isBeingChecked}
          aria-setsize={total}
          aria-posinset={before + index + 1}
        >
          <Score averageRating={averageRating} totalReviews={totalReviews} isShort />
        </ListRow>
      ))}
    </ul>
  );
}

/** The results of the search in the address: exact matches first, then close names. */
function FoundSchools({ query }: { query: UseInfiniteQueryResult<SchoolSearch[]> }) {
  const { q, country, minRating } = usePageQuery();
  const pages = query.data ?? [];
  const [first] = pages;
  const schools = pages.flatMap((page) => page.schools);
  const exact = schools.filter(({ match }) => !isInexact(match));
  const close = schools.slice(exact.length);
  const total = first?.total ?? 0;
  return (
    <>
      <Loaded query={query} loading={LOADING} fillsPage failed="The schools could not be loaded.">
        {() => null}
      </Loaded>
      <div aria-live="polite">
        {first && total === 0 && <Empty>{q || country || minRating ? 'No schools found' : NONE_YET}</Empty>}
      </div>
      {first && total === 0 && (country || minRating) && (
        <p className="text-center">
          {/* The link disappears when it is followed. */}
          <StandaloneLink
            to={pageAddress(PAGES.allSchools, undefined, q === undefined ? {} : { q })}
            onClick={focusPage}
          >
            Clear filters
          </StandaloneLink>
        </p>
      )}
      {exact.length > 0 && <SchoolRows schools={exact} before={0} total={total} />}
      {close.length > 0 && (
        <>
          <h2 className={`text-lg ${exact.length > 0 ? 'mt-8' : ''} mb-1 wrap-anywhere`}>
            Close to “<bdi>{q}</bdi>”
          </h2>
          <SchoolRows schools={close} before={exact.length} total={total} />
        </>
      )}
      <ShowMore query={query} rows="schools" className="justify-items-center py-6" />
    </>
  );
}
