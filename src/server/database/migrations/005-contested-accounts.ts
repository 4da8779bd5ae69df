import type { ColumnTypes } from '../migrate.ts';

export const name = '005-contested-accounts';

/** Marks accounts that somebody else may have created, and mails in flight that are counted already. */
export function statements({ integer }: ColumnTypes): string[] {
  return [
    `alter table users add column is_contested ${integer} not null default 0 check (is_contested in (0, 1))`,
    `alter table outbox add column counted_at ${integer}`,
    'create index outbox_pending on outbox (purpose) where counted_at is null',
  ];
}
