import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo } from 'react';
import { isSearch, readFacets, readSearch } from '../../../contract/page-reads.ts';
import { FIRST_SCHOOL_COUNT, listSchools } from '../../../contract/schools.ts';
import { getSchoolFigures, type SchoolFigures, searchSchools } from '../../../contract/search.ts';
import { getVoices } from '../../../contract/voices.ts';
import { type CallParts, callQuery, pagedQuery } from '../../api.ts';
import { PageHeading } from '../../components/layout/page-heading.tsx';
import { Loading, QueryList } from '../../components/list/list-states.tsx';
import { usePageQuery, usePageRead } from '../../page-reads.ts';
import { AddSchool } from '../../shared/proposals/add-button.tsx';
import { FoundSchools, isInexact } from './found-schools.tsx';
import { SchoolFilters } from './school-filters.tsx';
import { SchoolGrid } from './school-grid.tsx';
import { SiteVoices } from './site-voices.tsx';

const LOADING = 'Loading schools...';

/**
 * All schools by name. While they are loading, these are the first ones, which the server-rendered document contains.
 * The others are deferred: a phone would be held up if ten thousand were rendered in one piece.
 */
function useAllSchools(enabled: boolean) {
  const first = useQuery({ ...callQuery(listSchools, { query: { limit: FIRST_SCHOOL_COUNT } }), enabled }).data;
  const { data, isError, error, refetch } = useQuery({ ...callQuery(listSchools), enabled });
  return { data: useDeferredValue(data) ?? first, isError, error, refetch };
}

/** The figures of all schools that have reviews, by the schools' ids. */
function useSchoolFigures(enabled: boolean): ReadonlyMap<number, SchoolFigures> {
  const { data } = useQuery({ ...callQuery(getSchoolFigures), enabled });
  return useMemo(() => new Map(data?.map((figures) => [figures[0], figures] as const)), [data]);
}

interface DirectoryProps {
  schools: ReturnType<typeof useAllSchools>;
  figures: ReadonlyMap<number, SchoolFigures>;
}

/** All schools by name, below what people say about some of them. */
function Directory({ schools, figures }: DirectoryProps) {
  const { data: voices = [], isPending } = usePageRead(getVoices);
  // Rendered together: the grid measures its position on the page when it is mounted.
  if (isPending) return <Loading fillsPage>{LOADING}</Loading>;
  return (
    <>
      {/* One quote on narrow screens, so that the names begin on the first screen. */}
      <SiteVoices voices={voices} className="mb-6 max-lg:[&_figure+figure]:hidden" />
      <QueryList
        query={schools}
        loading={LOADING}
        fillsPage
        empty="No schools have been added yet."
        failed="The schools could not be loaded."
      >
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
  const search = useInfiniteQuery({
    ...pagedQuery(searchSchools, readSearch(address).parts as CallParts<typeof searchSchools>),
    placeholderData: keepPreviousData,
    enabled: isFiltered,
  });
  const found = search.data?.[0];
  const facets = useQuery({
    ...callQuery(searchSchools, readFacets().parts as CallParts<typeof searchSchools>),
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
