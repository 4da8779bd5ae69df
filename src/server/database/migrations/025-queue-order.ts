import type { ColumnTypes } from '../migrate.ts';

export const name = '025-queue-order';

/**
 * The moderation queue shows reported reviews and appeals before reviews that are open only because of a burst, of which
 * a few accounts can make hundreds.
 */
export function statements({ integer }: ColumnTypes): string[] {
  return [
    `alter table moderation_items add column is_burst_only ${integer} not null default 0`,
    `update moderation_items set is_burst_only = 1
      where burst_entry_id is not null and opened_at is not null
        and not exists (select 1 from reports
          where reports.review_id = moderation_items.review_id and reports.decided_at is null)
        and not exists (select 1 from appeals
          where appeals.review_id = moderation_items.review_id and appeals.decided_at is null)`,
  ];
}
