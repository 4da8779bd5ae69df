import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { foldAccents } from '../../../contract/folding.ts';
import { isExplained } from '../../api.ts';
import { Button } from '../../components/form/button.tsx';
import { Field } from '../../components/form/fields.tsx';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { QueryList, type ReadResult } from '../../components/list/list-states.tsx';
import { numberText } from '../../format.ts';
import { passFocusOn } from '../../navigation.ts';
import { type RowAction, RowButton } from '../../shared/admin/row-actions.tsx';
import { whenText } from '../../shared/admin/table-dates.ts';
import { type Column, ScrollingTable, type ScrollingTableProps, type TableRow } from './scrolling-table.tsx';

/** The additional properties of a list's query if the list is loaded page by page. */
type Paging = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

export interface RecordTableProps<Row> extends Pick<ScrollingTableProps<Row>, 'columns' | 'mark'> {
  title: string;
  /** The nouns for a row: "school", "schools". */
  nouns: readonly [one: string, many: string];
  /** With a next page, the rows are only the newest ones. */
  query: ReadResult<readonly Row[]> & Partial<Paging>;
  /** The number of all rows, if it is known. */
  total?: number | undefined;
  empty: string;
  /** The text of a row that the filter searches. Pass the same function at every rendering. */
  textOf: (row: Row) => string;
}

const NO_ROWS: readonly never[] = [];

/** The rows whose text contains what is typed into the filter, ignoring case and accents. */
function useFilter<Row>(rows: readonly Row[], textOf: (row: Row) => string) {
  const [filter, setFilter] = useState('');
  const needle = foldAccents(useDeferredValue(filter).trim());
  const texts = useMemo(() => rows.map((row) => foldAccents(textOf(row))), [rows, textOf]);
  const shownRows = useMemo(
    () => (needle ? rows.filter((_, index) => texts[index]?.includes(needle)) : rows),
    [rows, texts, needle],
  );
  return { filter, setFilter, needle, shownRows };
}

/** The row that `#12` in the address marks. */
function useLinkedRow() {
  const { hash } = useLocation();
  return useMemo(() => ({ id: Number(hash.slice(1)) }), [hash]);
}

/** "3 of 12 schools", "The newest 100 of 130 reviews". */
function rowCountText<Row>(
  { nouns: [one, many], query, total }: RecordTableProps<Row>,
  length: number,
  shownCount: number | undefined,
): string {
  const part = shownCount === undefined ? '' : `${numberText(shownCount)} of `;
  const count = numberText(length);
  if (!query.hasNextPage) return `${part}${count} ${length === 1 ? one : many}`;
  return `${part}${part ? 'the' : 'The'} newest ${count}${total === undefined ? '' : ` of ${numberText(total)}`} ${many}`;
}

/** For the button below the scrolling list, which disappears when all rows are loaded. */
function passFocusToList(button: HTMLElement | null) {
  const around = button?.parentElement;
  return passFocusOn(button, () => around?.querySelector('section'));
}

/** A titled list of rows with their number and a filter, in any state of its query. */
export function RecordTable<Row extends TableRow>(props: RecordTableProps<Row>) {
  const { title, nouns, query, empty, textOf, columns, mark } = props;
  const { hasNextPage = false, isFetching, isFetchNextPageError, fetchNextPage } = query;
  // After a failure only the button asks again: a request at every scroll would not help the server.
  const fetchesByItself = hasNextPage && !isFetching && !isFetchNextPageError;
  const [, many] = nouns;
  const id = useId();
  const rows = query.data ?? NO_ROWS;
  const { filter, setFilter, needle, shownRows } = useFilter(rows, textOf);
  const linked = useLinkedRow();
  const seenMark = useRef<{ id: number } | null>(null);
  // The server may say, for example, that only an admin may see the list.
  const failure = isExplained(query.error) ? query.error.message : `The ${many} could not be loaded.`;

  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          <p className="min-h-[1lh] text-sm text-ink-soft tabular-nums" aria-live="polite">
            {rows.length > 0 && rowCountText(props, rows.length, needle ? shownRows.length : undefined)}
          </p>
        </div>
        {rows.length > 0 && (
          <Field
            label="Filter"
            name="filter"
            type="search"
            autoComplete="off"
            className="no-print w-full sm:w-64"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        )}
      </div>
      <QueryList query={query} loading={`Loading ${many}...`} empty={empty} failed={failure}>
        {() =>
          shownRows.length > 0 ? (
            <ScrollingTable
              // A new key for each filter: the table starts at its first match.
              key={needle}
              titleId={id}
              rows={shownRows}
              columns={columns}
              mark={mark ?? linked}
              seenMark={seenMark}
              onEndInSight={fetchesByItself ? fetchNextPage : undefined}
            />
          ) : (
            <p className="py-10 text-center text-ink-soft">No {many} match the filter.</p>
          )
        }
      </QueryList>
      {hasNextPage && (
        <Button
          ref={passFocusToList}
          variant="quiet"
          className="justify-self-center"
          isPending={query.isFetchingNextPage}
          onClick={() => void fetchNextPage?.()}
        >
          {isFetchNextPageError ? 'Retry' : 'Load more'}
        </Button>
      )}
    </div>
  );
}

// The columns that the tables of several pages share.

export const idColumn: Column<TableRow> = {
  head: 'ID',
  width: 'w-18',
  cell: ({ id }) => <span className="text-ink-soft tabular-nums">{id}</span>,
};

export const ratingColumn: Column<TableRow & { readonly rating: number }> = {
  head: 'Rating',
  width: 'w-20',
  cell: ({ rating }) => (
    <span className="whitespace-nowrap tabular-nums">
      <span aria-hidden="true" className="text-accent">
        ★
      </span>{' '}
      {rating}
    </span>
  ),
};

/** An instant, short enough for one line. */
export function whenColumn<Row>(instantOf: (row: Row) => string): Column<Row> {
  return {
    head: 'When',
    width: 'w-48',
    cell: (row) => (
      <time dateTime={instantOf(row)} className="whitespace-nowrap tabular-nums">
        {whenText(instantOf(row))}
      </time>
    ),
  };
}

/** The name of the row, linked to its page. */
export function nameColumn<Row>(
  head: string,
  width: string | undefined,
  { addressOf, nameOf }: { addressOf: (row: Row) => string; nameOf: (row: Row) => string },
): Column<Row> {
  return {
    head,
    width,
    isRowHead: true,
    inNarrow: 'first line',
    cell: (row) => (
      <StandaloneLink to={addressOf(row)}>
        <bdi>{nameOf(row)}</bdi>
      </StandaloneLink>
    ),
  };
}

/** A text of several lines. @param isName whether it names the row */
export function textColumn<Row>(head: string, textOf: (row: Row) => string, isName = false): Column<Row> {
  return {
    head,
    inNarrow: 'first line',
    cell: (row, nameId) => (
      <p id={isName ? nameId : undefined} dir="auto" className="max-w-prose py-1 whitespace-pre-line">
        {textOf(row)}
      </p>
    ),
  };
}

interface EditActions<Row> {
  update: RowAction<Row>;
  remove: RowAction<Row>;
  /** A button between "Update" and "Delete". */
  between?: (row: Row, nameId: string) => ReactNode;
}

export function editColumn<Row>(width: string, { update, remove, between }: EditActions<Row>): Column<Row> {
  return {
    head: 'Update/Delete',
    width,
    inNarrow: 'end',
    cell: (row, nameId) => (
      <div className="-mx-3 flex flex-wrap justify-end @2xl:justify-start">
        <RowButton variant="quiet" nameId={nameId} isBusy={update.isBusy(row)} onClick={() => update.run(row)}>
          Update
        </RowButton>
        {between?.(row, nameId)}
        <RowButton variant="danger" nameId={nameId} isBusy={remove.isBusy(row)} onClick={() => remove.run(row)}>
          Delete
        </RowButton>
      </div>
    ),
  };
}

export function deleteColumn<Row>(remove: RowAction<Row>): Column<Row> {
  return {
    head: 'Delete',
    width: 'w-24',
    inNarrow: 'end',
    cell: (row, nameId) => (
      <RowButton
        variant="danger"
        className="-mx-3"
        nameId={nameId}
        isBusy={remove.isBusy(row)}
        onClick={() => remove.run(row)}
      >
        Delete
      </RowButton>
    ),
  };
}
