import { type AddressParts, type Call, callAddress } from '../../../contract/call.ts';
import { LIST_LIMIT_MAX } from '../../../contract/fields.ts';
import type { PagePosition } from '../../database/select-page.ts';

/** The query of a paged list. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The cursor from the link to this page. */
  readonly before?: string | undefined;
}

export interface PageOfRows<Row> {
  readonly rows: Row[];
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
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
): Promise<PageOfRows<Row>> {
  // Safe: the contract has checked the number of values.
  const after = before?.split(SEPARATOR).map(Number) as unknown as Values | undefined;
  const found = await read({ limit: limit + 1, after });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last && valuesOf(last).join(SEPARATOR) };
}

/** The Link header for the next page: the same call and query with its cursor. */
export function linkToNext(call: Call, { query, ...parts }: AddressParts, next: string): string {
  return `<${callAddress(call, { ...parts, query: { ...query, before: next } })}>; rel="next"`;
}
