import { setImmediate } from 'node:timers/promises';
import { type SelectQueryBuilder, type StringReference, sql } from 'kysely';
import { LIST_LIMIT_MAX } from '../../contract/fields.ts';

/** A position in a list, and how many rows are read from there. */
export interface PagePosition<Values extends readonly (number | string)[] = readonly (number | string)[]> {
  readonly limit: number;
  /** The values by which the row before the page is sorted; undefined for the first page. */
  readonly after: Values | undefined;
}

interface ListOrder<Column> {
  /** The columns that the list is sorted by. The last one is unique. */
  readonly by: readonly Column[];
  readonly direction: 'asc' | 'desc';
}

/** Selects a page of a list that is sorted by the columns of an index: no row before the page is read. */
export function selectPage<DB, From extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, From, Row>,
  { by, direction }: ListOrder<StringReference<DB, From>>,
  { limit, after }: PagePosition,
): SelectQueryBuilder<DB, From, Row> {
  const columns = by.map((column) => sql.ref(column));
  const sorted = columns.reduce((list, column) => list.orderBy(column, direction), query.limit(limit));
  const follows = sql.raw(direction === 'asc' ? '>' : '<');
  return after ? sorted.where(sql<boolean>`(${sql.join(columns)}) ${follows} (${sql.join(after)})`) : sorted;
}

/**
 * Reads rows in steps by ascending id, between which other requests are served: a hundred thousand rows read at once
 * hold the event loop for 50 ms on SQLite.
 * @param column the id, with its table where the query has other columns of that name
 */
export async function* readInSteps<DB, From extends keyof DB, Row extends { readonly id: number }>(
  query: SelectQueryBuilder<DB, From, Row>,
  limit: number,
  column = 'id',
): AsyncGenerator<readonly Row[]> {
  const id = sql.ref<number>(column);
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await query.where(id, '>', after).orderBy(id).limit(limit).execute();
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = last.id;
    await setImmediate();
  }
}

/** The query of a paged list. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The cursor from the link to this page. */
  readonly before?: string | undefined;
}

/** A page of a list. It is answered as its rows, and the address of the next page in a Link header. */
export class Page<Rows> {
  readonly rows: Rows;
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;

  constructor(rows: Rows, next: string | undefined) {
    this.rows = rows;
    this.next = next;
  }
}

const SEPARATOR = '-';

/**
 * Reads one page and one more row, which shows whether there is a next page.
 * @param valuesOf the values of a row that the list is sorted by; the next page begins after those of the last row
 * @param read reads rows of the list
 */
export async function readPage<Row, Values extends readonly number[]>(
  { limit = LIST_LIMIT_MAX, before }: PageRequest,
  valuesOf: (row: Row) => Values,
  read: (position: PagePosition<Values>) => Promise<Row[]>,
): Promise<Page<Row[]>> {
  // Safe: the contract has checked the number of values.
  const after = before?.split(SEPARATOR).map(Number) as unknown as Values | undefined;
  const found = await read({ limit: limit + 1, after });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return new Page(rows, last && valuesOf(last).join(SEPARATOR));
}
