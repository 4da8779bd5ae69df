import type { ColumnTypes } from '../migrate.ts';

export const name = '016-bursts';

/**
 * Items of the queue say which entry had a burst, so that its summary finds them by an index; the reviews by new
 * accounts have an index of their own, into which a post by any other account writes nothing. See
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
