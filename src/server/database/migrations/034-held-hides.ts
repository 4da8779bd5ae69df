import type { ColumnTypes } from '../migrate.ts';

export const name = '034-held-hides';

/**
 * A hide can be held for some seconds, and an edit after a decision opens the item again, with the text that was decided
 * about beside the new one. See docs/decisions/026-held-hides.md.
 */
export function statements({ engine, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table held_hides (
      review_id ${integer} primary key references reviews (id) on delete cascade,
      school_id ${integer} not null,
      reason text not null,
      half_stars ${integer} not null,
      held_at ${integer} not null,
      due_at ${integer} not null,
      opened_at ${integer},
      decided_at ${integer}
    ) ${tableOptions}`,
    'create index held_hides_due on held_hides (due_at)',
    `alter table moderation_items add column edited_at ${integer}`,
    'alter table moderation_items add column decided_text text',
    `alter table moderation_items add column edit_opened_at ${integer}`,
    'alter table reviews add column marked_text text',
    `alter table reviews add column marked_half_stars ${integer}`,
    ...(engine === 'postgres' ? [MOVE_ROWS] : []),
  ];
}

const TABLES = ['helpful_marks', 'moderation_items', 'reports', 'appeals', 'review_events', 'held_hides'];

/** The function of 030, also for the new table: it moves rows of reviews when the previous version merges schools. */
const MOVE_ROWS = `create or replace function move_rows_of_review() returns trigger language plpgsql as $$ begin
    ${TABLES.map((table) => `update ${table} set school_id = new.school_id where review_id = new.id and school_id <> new.school_id;`).join('\n    ')}
    return null;
  end $$`;
