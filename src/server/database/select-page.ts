import { type SelectQueryBuilder, type StringReference, sql } from 'kysely';

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
