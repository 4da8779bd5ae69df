import type { ColumnTypes } from '../migrate.ts';

export const name = '008-mail-subjects';

/** What a mail is about, beside whom it is for: no reference, since its purpose says of which kind it is. */
export function statements({ integer }: ColumnTypes): string[] {
  return [`alter table outbox add column subject_id ${integer}`];
}
