import type { Milliseconds } from '../database/tables.ts';

/** Where a page of reviews, newest first, ends: the next one begins after the review posted at this time with this id. */
export interface ReviewCursor {
  createdAt: Milliseconds;
  id: number;
}

/** Reads the `before` of a query. */
export function readCursor(before: string | undefined): ReviewCursor | undefined {
  const [createdAt, id] = before?.split('-').map(Number) ?? [];
  return createdAt === undefined || id === undefined ? undefined : { createdAt, id };
}

/** The Link header of a page that has a next one. */
export function linkToNext(path: string, limit: number, { createdAt, id }: ReviewCursor): string {
  return `<${path}?limit=${limit}&before=${createdAt}-${id}>; rel="next"`;
}

/** Splits rows, one more of which was read than a page shows: the one more tells that there is a next page. */
export function splitPage<Row extends { id: number; created_at: Milliseconds }>(
  rows: readonly Row[],
  limit: number,
): { shown: Row[]; next: ReviewCursor | undefined } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next: last && { createdAt: last.created_at, id: last.id } };
}
