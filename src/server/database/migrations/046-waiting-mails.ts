import type { ColumnTypes } from '../migrate.ts';

export const name = '046-waiting-mails';

/** When the admins were last told what waits for them: one row. */
export function statements({ integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table waiting_mails (
      id ${integer} primary key,
      mailed_at ${integer} not null
    ) ${tableOptions}`,
  ];
}
