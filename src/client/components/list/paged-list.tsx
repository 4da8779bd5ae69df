import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type MouseEvent, useRef } from 'react';
import { passFocusOn } from '../../navigation.ts';
import { Button } from '../form/button.tsx';
import { isBefore, QueryList, type QueryListProps } from './list-states.tsx';

interface ShowMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
  /** The noun for the rows, in the plural: "reviews". */
  rows?: string;
  className?: string;
}

const listRows = () => [...document.querySelectorAll<HTMLElement>('main ul > li')];

/** The link of a row, or a row without one, made focusable. */
function focusableOf(row: HTMLElement | undefined): HTMLElement | undefined {
  const link = row?.querySelector('a');
  if (row && !link) row.tabIndex = -1;
  return link ?? row;
}

/**
 * A button that loads the next page of a list, with a message when that fails. When the last page is loaded, the button
 * disappears: the focus goes to the first new row.
 */
export function ShowMore({ query, rows = '', className = 'justify-items-start' }: ShowMoreProps) {
  const shownCount = useRef(-1);
  if (!query.hasNextPage) return null;

  const findNewRow = () => focusableOf(listRows()[shownCount.current]);

  function showMore({ currentTarget }: MouseEvent<Element>): void {
    shownCount.current = listRows().filter((row) => isBefore(row, currentTarget)).length;
    void query.fetchNextPage();
  }

  return (
    <div ref={(element) => passFocusOn(element, findNewRow)} className={`grid gap-3 ${className}`}>
      {query.isFetchNextPageError && <p>{['More', rows, 'could not be loaded.'].filter(Boolean).join(' ')}</p>}
      <Button variant="quiet" isPending={query.isFetchingNextPage} onClick={showMore}>
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
