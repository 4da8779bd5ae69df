import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { Button } from '../../components/button.tsx';
import { RecordTable, type RecordTableProps } from './record-table.tsx';
import type { TableRow } from './scrolling-table.tsx';

interface PagedRecordTableProps<Row> extends Omit<RecordTableProps<Row>, 'query' | 'isPartial' | 'onEndInSight'> {
  query: UseInfiniteQueryResult<InfiniteData<{ rows: Row[] }>>;
}

/**
 * The rows of a list that is loaded page by page. The next page is fetched when the end of the list becomes visible.
 */
export function PagedRecordTable<Row extends TableRow>({ query, ...table }: PagedRecordTableProps<Row>) {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows), [data]);

  // After a failure the button asks again: a request at every scroll would not help the server.
  const canFetchMore = hasNextPage && !isFetching && !isFetchNextPageError;
  const fetchMore = useCallback(() => {
    if (canFetchMore) void fetchNextPage();
  }, [canFetchMore, fetchNextPage]);

  return (
    <>
      <RecordTable {...table} query={{ ...query, data: rows }} isPartial={hasNextPage} onEndInSight={fetchMore} />
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
    </>
  );
}
