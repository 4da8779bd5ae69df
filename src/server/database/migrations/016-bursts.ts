import type { ColumnTypes } from '../migrate.ts';

export const name = '016-bursts';

/**
 * An item of the moderation queue names the entry with the burst, so that the entry's summary finds it by an index.
 * Reviews by new accounts have an index of their own, so that posts by other accounts write nothing there. See
 * docs/decisions/019-bursts.md.
 */
export function statements({ integer }: ColumnTypes): string[] {
  return [
    'alter table moderation_items drop column is_burst',
    `alter table moderation_items add column burst_entry_id ${integer}`,
    `create index moderation_items_of_bursts on moderation_items (burst_entry_id)
      where burst_entry_id is not null and opened_at is not null`,
    'create index reviews_by_new_accounts on reviews (entry_id, created_at) where by_new_account = 1',
  ];
}
