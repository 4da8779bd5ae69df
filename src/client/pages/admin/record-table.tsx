import { useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { foldAccents } from '../../../contract/folding.ts';
import { CallError } from '../../api.ts';
import { Field } from '../../components/field.tsx';
import { QueryList } from '../../components/list-states.tsx';
import { ScrollingTable, type ScrollingTableProps, type TableRow } from './scrolling-table.tsx';

export interface RecordTableProps<Row> extends Omit<ScrollingTableProps<Row>, 'titleId' | 'rows' | 'seenMark'> {
  title: string;
  /** The nouns for a row: "school", "schools". */
  nouns: readonly [one: string, many: string];
  query: { data: readonly Row[] | undefined; error: unknown; isError: boolean; refetch: () => unknown };
  /** Shown when there are no rows. */
  empty: string;
  /** The text of a row that the filter searches. Default: no filter. Pass the same function at every rendering. */
  textOf?: (row: Row) => string;
  /** The rows are only the newest ones. `total` is the number of all rows, if it is known. */
  isPartial?: boolean;
  total?: number | undefined;
}

const NO_ROWS: readonly never[] = [];

/**
 * A titled list of rows with their number and a filter, in any state of its query. `#12` in the address marks row 12.
 */
export function RecordTable<Row extends TableRow>({
  title,
  nouns: [one, many],
  query,
  empty,
  textOf,
  isPartial = false,
  total,
  mark,
  ...table
}: RecordTableProps<Row>) {
  const id = useId();
  const [filter, setFilter] = useState('');
  const needle = foldAccents(useDeferredValue(filter).trim());
  const rows = query.data ?? NO_ROWS;
  const texts = useMemo(() => (textOf ? rows.map((row) => foldAccents(textOf(row))) : []), [rows, textOf]);
  const shown = useMemo(
    () => (needle ? rows.filter((_, index) => texts[index]?.includes(needle)) : rows),
    [rows, texts, needle],
  );
  const { hash } = useLocation();
  const linked = useMemo(() => ({ id: Number(hash.slice(1)) }), [hash]);
  const seenMark = useRef<{ id: number } | null>(null);
  const count = `${rows.length.toLocaleString()}${total === undefined ? '' : ` of ${total.toLocaleString()}`}`;
  const countWords = isPartial
    ? `${needle ? 'the' : 'The'} newest ${count} ${many}`
    : `${rows.length.toLocaleString()} ${rows.length === 1 ? one : many}`;
  // Such as: only an admin may see the list.
  const failure =
    query.error instanceof CallError && query.error.answered ? query.error.message : `The ${many} could not be loaded.`;

  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div>
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          <p className="min-h-[1lh] text-sm text-ink-soft tabular-nums" aria-live="polite">
            {needle && `${shown.length.toLocaleString()} of `}
            {rows.length > 0 && countWords}
          </p>
        </div>
        {textOf && rows.length > 0 && (
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
          shown.length > 0 ? (
            // A new key for each filter: the table starts at its first match.
            <ScrollingTable
              key={needle}
              titleId={id}
              rows={shown}
              mark={mark ?? linked}
              seenMark={seenMark}
              {...table}
            />
          ) : (
            <p className="py-10 text-center text-ink-soft">No {many} match the filter.</p>
          )
        }
      </QueryList>
    </div>
  );
}
