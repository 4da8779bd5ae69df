import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { PAGES, pageAddress } from '../../../contract/pages.ts';
import type { FoundSchool, SchoolSearch } from '../../../contract/search.ts';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { ListRow } from '../../components/list/list-row.tsx';
import { Empty, Failed, Loading } from '../../components/list/list-states.tsx';
import { ShowMore } from '../../components/list/paged-list.tsx';
import { Score } from '../../components/school/score.tsx';
import { focusPage } from '../../navigation.ts';
import { usePageQuery } from '../../page-reads.ts';

const countryOf = (location: string) => location.slice(location.lastIndexOf(',') + 1).trim();

/** Whether a school was found with a typo, or without some of the typed words. */
export const isInexact = (match: FoundSchool['match']) => match === 'typo' || match === 'close';

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
export function FoundSchools({ query }: { query: UseInfiniteQueryResult<SchoolSearch[]> }) {
  const { q, country, minRating } = usePageQuery();
  const pages = query.data ?? [];
  const [first] = pages;
  const schools = pages.flatMap((page) => page.schools);
  const exact = schools.filter(({ match }) => !isInexact(match));
  const close = schools.slice(exact.length);
  const total = first?.total ?? 0;
  return (
    <>
      {!first && query.isError && <Failed query={query}>The schools could not be loaded.</Failed>}
      {!first && !query.isError && <Loading fillsPage>Loading schools...</Loading>}
      {first && total === 0 && <Empty>No schools found</Empty>}
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
