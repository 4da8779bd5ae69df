export const name = '026-queue-index';

/**
 * The order of the moderation queue. The version before reads its order from `moderation_items_open`, which the next
 * release can drop.
 */
export const indexes = [
  `create index moderation_items_queue on moderation_items (is_burst_only, opened_at, review_id)
    where opened_at is not null`,
];
