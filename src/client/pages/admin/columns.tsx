import type { ReactNode } from 'react';
import { StandaloneLink } from '../../components/layout/page-link.tsx';
import { type RowAction, RowButton } from '../../shared/admin/row-actions.tsx';
import { whenText } from '../../shared/admin/table-dates.ts';
import type { Column, TableRow } from './scrolling-table.tsx';

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
