import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { ScrollRegion, WHOLE_LIST_MAX } from '../../components/list/list-states.tsx';
import { passFocusOn } from '../../navigation.ts';

/** How many rows beyond the visible ones are rendered of a long list. */
const ROWS_AROUND = 10;
/** The height of a row in pixels: an estimate until the row is rendered and measured. */
const ROW_HEIGHT = 53;
const HEAD_HEIGHT = 48;

export interface TableRow {
  readonly id: number;
}

export interface Column<Row> {
  head: string;
  /** A class for the width of the column. One column has none and takes the remaining width. */
  width?: string;
  /** The cell that names the row. */
  isRowHead?: true;
  /** The position in a row of several lines: alone on the first or the last one, or at the right end of the second. */
  inNarrow?: 'first line' | 'end' | 'last line';
  /** `nameId` is the element that names the row, for `aria-describedby`. */
  cell: (row: Row, nameId: string) => ReactNode;
}

export interface ScrollingTableProps<Row> {
  /** The id of the element that names the table and its scrolling region. */
  titleId: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The row to scroll to and highlight: the one being edited or just saved. A new object with its id scrolls again. */
  mark?: { id: number } | null;
  /** The last mark that was scrolled to. It outlives this table. */
  seenMark: RefObject<{ id: number } | null>;
  /** Called when the last row becomes visible. */
  onEndInSight?: (() => unknown) | undefined;
}

/**
 * A table in a scrolling region with a sticky head. Ten thousand rows are as fast as ten. Where the table is narrower
 * than 42 rem, each row is two or three lines instead of cells side by side.
 */
export function ScrollingTable<Row extends TableRow>({
  titleId,
  rows,
  columns,
  mark,
  seenMark,
  onEndInSight,
}: ScrollingTableProps<Row>) {
  const region = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: rows.length > WHOLE_LIST_MAX ? ROWS_AROUND : rows.length,
    // A row that is scrolled to stops below the sticky head.
    scrollPaddingStart: HEAD_HEIGHT,
  });
  const visible = virtualizer.getVirtualItems();
  // With its last row the region itself disappears.
  useLayoutEffect(() => passFocusOn(region.current), []);
  useScrollToMark(mark, rows, seenMark, (index) => virtualizer.scrollToIndex(index));

  const isEndInSight = (virtualizer.range?.endIndex ?? -1) >= rows.length - 1;
  useEffect(() => {
    if (isEndInSight) onEndInSight?.();
  }, [isEndInSight, onEndInSight]);

  return (
    <ScrollRegion
      ref={region}
      aria-labelledby={titleId}
      // `relative`: the positioned hidden labels would otherwise make the page as high as the list.
      className="card @container relative max-h-[min(72dvh,48rem)] scroll-pt-12 overflow-auto overscroll-contain print:max-h-none print:overflow-visible"
    >
      <table
        aria-labelledby={titleId}
        aria-rowcount={rows.length + 1}
        className="block w-full table-fixed border-separate border-spacing-0 text-left leading-snug @2xl:table"
      >
        <TableHead columns={columns} />
        <tbody className="block @2xl:table-row-group">
          <Gap columns={columns.length} height={visible[0]?.start ?? 0} />
          {visible.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <RecordRow
                key={row.id}
                row={row}
                index={index}
                columns={columns}
                nameId={`${titleId}-${row.id}`}
                isMarked={row.id === mark?.id}
                measure={virtualizer.measureElement}
              />
            );
          })}
          <Gap columns={columns.length} height={virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Scrolls to the marked row, once for each mark. */
function useScrollToMark(
  mark: { id: number } | null | undefined,
  rows: readonly TableRow[],
  seenMark: RefObject<{ id: number } | null>,
  scrollTo: (index: number) => void,
): void {
  useEffect(() => {
    if (!mark || seenMark.current === mark) return;
    const index = rows.findIndex(({ id }) => id === mark.id);
    if (index < 0) return;
    seenMark.current = mark;
    scrollTo(index);
  });
}

function TableHead<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <>
      <colgroup className="hidden @2xl:table-column-group">
        {columns.map(({ head, width }) => (
          <col key={head} className={width} />
        ))}
      </colgroup>
      <thead className="block bg-sunken @2xl:table-header-group">
        <tr aria-rowindex={1} className="flex flex-wrap gap-x-3 border-b border-line px-3 py-1 @2xl:table-row">
          {columns.map(({ head }) => (
            <th
              key={head}
              scope="col"
              className="top-0 z-10 bg-sunken text-xs font-semibold @2xl:sticky @2xl:border-b @2xl:border-line @2xl:px-3 @2xl:py-2 @2xl:text-sm"
            >
              {head}
            </th>
          ))}
        </tr>
      </thead>
    </>
  );
}

const ROW = 'flex flex-wrap items-center gap-x-3 border-b border-line px-3 py-1 @2xl:table-row';
const CELL =
  'block min-w-0 text-sm wrap-anywhere @2xl:text-base @2xl:table-cell @2xl:border-b @2xl:border-line @2xl:px-3 @2xl:py-1';
const NARROW = {
  'first line': 'order-first w-full text-base @2xl:w-auto',
  end: 'ml-auto',
  'last line': 'order-last w-full @2xl:w-auto',
};

interface RecordRowProps<Row> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  /** The id of the cell that names the row. */
  nameId: string;
  isMarked: boolean;
  measure: (element: HTMLTableRowElement | null) => void;
}

function RecordRow<Row>({ row, index, columns, nameId, isMarked, measure }: RecordRowProps<Row>) {
  // The focus goes from a removed row to the region: the next row's Delete must not have it.
  const ref = useCallback(
    (element: HTMLTableRowElement | null) => {
      const passOn = passFocusOn(element);
      measure(element);
      return () => {
        passOn();
        measure(null);
      };
    },
    [measure],
  );
  return (
    <tr
      ref={ref}
      data-index={index}
      // The head has index 1.
      aria-rowindex={index + 2}
      aria-current={isMarked || undefined}
      className={`${ROW} ${isMarked ? 'bg-brand-soft' : 'hover:bg-paper'}`}
    >
      {columns.map(({ head, isRowHead, inNarrow, cell }) => {
        const className = `${CELL} ${inNarrow ? NARROW[inNarrow] : ''}`;
        return isRowHead ? (
          <th key={head} scope="row" id={nameId} className={`${className} font-normal`}>
            {cell(row, nameId)}
          </th>
        ) : (
          <td key={head} className={className}>
            {cell(row, nameId)}
          </td>
        );
      })}
    </tr>
  );
}

/** An empty row with the height of the rows that are not rendered. */
function Gap({ columns, height }: { columns: number; height: number }) {
  if (height <= 0) return null;
  return (
    <tr inert className="block @2xl:table-row">
      <td colSpan={columns} className="block p-0 @2xl:table-cell" style={{ height }} />
    </tr>
  );
}
