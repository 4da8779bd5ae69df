import type { ColumnTypes } from '../migrate.ts';

export const name = '008-mail-subjects';

/** The id of the mail's subject. It has no foreign key, because its table depends on the purpose of the mail. */
export function statements({ integer }: ColumnTypes): string[] {
  return [`alter table outbox add column subject_id ${integer}`];
}
