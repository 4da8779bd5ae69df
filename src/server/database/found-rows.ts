import type { SelectQueryBuilder } from 'kysely';

/** The ids of rows, in their order. */
export const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

/** The id of the row that was created first. */
export const oldestOf = (rows: readonly { readonly id: number }[]) =>
  rows.length === 0 ? undefined : Math.min(...idsOf(rows));

/** Whether a query finds a row, or a change returns one. */
export async function hasRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** The number of rows that a query without columns finds. */
export async function countFound<DB, From extends keyof DB>(query: SelectQueryBuilder<DB, From, object>) {
  const [row] = await query.select(({ fn }) => fn.countAll<number>().as('count')).execute();
  // Safe: the query selects this column, and a count always returns a row.
  return (row as { count: number }).count;
}
