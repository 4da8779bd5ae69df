import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type AdminAct, getAdminActs } from '../../../contract/audit.ts';
import { PAGES } from '../../../contract/pages.ts';
import { pagedQuery, queryClient } from '../../api.ts';
import { Breadcrumb } from '../../components/breadcrumb.tsx';
import { Button } from '../../components/button.tsx';
import { PageHeading } from '../../components/page-heading.tsx';
import { RecordTable } from './record-table.tsx';
import type { Column } from './scrolling-table.tsx';

const actsQuery = pagedQuery(getAdminActs);
const textOf = ({ username, act, target }: AdminAct) => `${username} ${act} ${target}`;

export const loader = () => {
  void queryClient.prefetchInfiniteQuery(actsQuery);
};

const COLUMNS: Column<AdminAct>[] = [
  {
    head: 'When',
    width: 'w-36 sm:w-48',
    cell: ({ at }) => (
      <time dateTime={at} className="tabular-nums">
        {new Date(at).toLocaleString()}
      </time>
    ),
  },
  { head: 'Who', width: 'w-32 sm:w-40', isRowHead: true, cell: ({ username }) => username },
  { head: 'Act', width: 'w-44 sm:w-52', cell: ({ act }) => act },
  { head: 'Target', cell: ({ target }) => <span className="wrap-anywhere">{target}</span> },
];

/** What admins have done, newest first; nobody can change it. */
export function Component() {
  const query = useInfiniteQuery(actsQuery);
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const acts = useMemo(() => data?.pages.flatMap(({ rows }) => rows), [data]);

  const canFetchMore = hasNextPage && !isFetching && !isFetchNextPageError;
  const fetchMore = useCallback(() => {
    if (canFetchMore) void fetchNextPage();
  }, [canFetchMore, fetchNextPage]);

  return (
    <div className="page grid gap-6 pt-4 pb-10">
      <div>
        <Breadcrumb trail={[{ label: PAGES.adminUsers.title, to: PAGES.adminUsers.path }]} />
        <PageHeading>{PAGES.adminActs.title}</PageHeading>
      </div>
      <RecordTable
        title="Acts of admins"
        nouns={['act', 'acts']}
        query={{ ...query, data: acts }}
        empty="No admin has done anything yet."
        columns={COLUMNS}
        minWidth="min-w-2xl"
        textOf={textOf}
        isPartial={hasNextPage}
        onEndInSight={fetchMore}
      />
      {hasNextPage && (
        <Button
          variant="quiet"
          className="justify-self-center"
          isPending={query.isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchNextPageError ? 'Retry' : 'Load more'}
        </Button>
      )}
    </div>
  );
}
