import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../form/button.tsx';
import { QueryList, type QueryListProps } from './list-states.tsx';

interface ShowMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
  /** What the list contains, in the plural: "reviews". */
  rows?: string;
  className?: string;
}

/** A button that loads the next page of a list, with a message when that fails. */
export function ShowMore({ query, rows = '', className = 'justify-items-start' }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={`grid gap-3 ${className}`}>
      {query.isFetchNextPageError && <p>{['More', rows, 'could not be loaded.'].filter(Boolean).join(' ')}</p>}
      <Button variant="quiet" isPending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {`Show more ${rows}`.trimEnd()}
      </Button>
    </div>
  );
}

interface PagedListProps<Row> extends Omit<QueryListProps<Row>, 'query'> {
  query: UseInfiniteQueryResult<readonly Row[]>;
}

/** A list that is loaded page by page. */
export function PagedList<Row>({ query, ...list }: PagedListProps<Row>) {
  return (
    <>
      <QueryList {...list} query={query} />
      <ShowMore query={query} />
    </>
  );
}
