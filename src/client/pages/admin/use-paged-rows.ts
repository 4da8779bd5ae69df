import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback } from 'react';

/** The rows of a list that is loaded page by page. The next page is fetched when the end of the list becomes visible. */
export function usePagedRows<Row>(query: UseInfiniteQueryResult<Row[]>) {
  const { data, error, isError, refetch } = query;
  const { hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;

  // After a failure only the button asks again: a request at every scroll would not help the server.
  const canFetchMore = hasNextPage && !isFetching && !isFetchNextPageError;
  const onEndInSight = useCallback(() => {
    if (canFetchMore) void fetchNextPage();
  }, [canFetchMore, fetchNextPage]);

  return {
    ...{ data, error, isError, refetch },
    nextPage: hasNextPage
      ? {
          onEndInSight,
          fetch: () => void fetchNextPage(),
          isFetching: isFetchingNextPage,
          hasFailed: isFetchNextPageError,
        }
      : undefined,
  };
}

export type NextPage = NonNullable<ReturnType<typeof usePagedRows>['nextPage']>;
