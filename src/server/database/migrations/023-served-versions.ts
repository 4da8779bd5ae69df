import type { ColumnTypes } from '../migrate.ts';

export const name = '023-served-versions';

/**
 * The oldest version whose processes still work on the schema, in a single row. See docs/decisions/022-upgrades.md.
 */
export function statements({ integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table served_versions (
      id ${integer} primary key check (id = 1),
      oldest text not null
    ) ${tableOptions}`,
    `insert into served_versions (id, oldest) values (1, '0.1.0')`,
  ];
}
