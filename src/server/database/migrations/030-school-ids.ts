import type { ColumnTypes } from '../migrate.ts';

export const name = '030-school-ids';

const TABLES_OF_REVIEWS = ['helpful_marks', 'moderation_items', 'reports', 'appeals', 'review_events'] as const;

/** Adds the school to every table with rows of an entry or a review. 031 fills it in existing rows. */
export function statements({ engine, integer }: ColumnTypes): string[] {
  return [
    ...[...TABLES_OF_REVIEWS, 'relation_counts'].map((table) => `alter table ${table} add column school_id ${integer}`),
    ...ALLOW_MOVING[engine],
    ...(engine === 'postgres' ? SERVE_VERSION_BEFORE : []),
  ];
}

const RECORDED = 'id, review_id, happened_at, event, reason';

/** Of a recorded event only the school can change: when it is merged into another one. */
const ALLOW_MOVING: Record<ColumnTypes['engine'], readonly string[]> = {
  sqlite: [
    'drop trigger review_events_no_update',
    `create trigger review_events_no_update before update of ${RECORDED} on review_events
      begin select raise(abort, 'review_events is append-only'); end`,
  ],
  postgres: [
    'drop trigger review_events_append_only on review_events',
    `create trigger review_events_append_only before update of ${RECORDED} or delete on review_events
      for each row execute function refuse_change()`,
  ],
};

/**
 * Fills the column in rows that processes of the previous version add, and changes it where they merge schools. The
 * next release can drop it.
 */
const SERVE_VERSION_BEFORE = [
  `create function fill_school_of_review() returns trigger language plpgsql as $$ begin
    new.school_id := (select school_id from reviews where id = new.review_id);
    return new;
  end $$`,
  `create function fill_school_of_entry() returns trigger language plpgsql as $$ begin
    new.school_id := (select school_id from entries where id = new.entry_id);
    return new;
  end $$`,
  ...[...TABLES_OF_REVIEWS, 'relation_counts'].map(
    (table) => `create trigger ${table}_school before insert on ${table} for each row when (new.school_id is null)
      execute function fill_school_of_${table === 'relation_counts' ? 'entry' : 'review'}()`,
  ),
  `create function move_rows_of_review() returns trigger language plpgsql as $$ begin
    ${TABLES_OF_REVIEWS.map((table) => `update ${table} set school_id = new.school_id where review_id = new.id and school_id <> new.school_id;`).join('\n    ')}
    return null;
  end $$`,
  `create trigger reviews_school after update of school_id on reviews
    for each row when (old.school_id <> new.school_id) execute function move_rows_of_review()`,
  `create function move_counts_of_entry() returns trigger language plpgsql as $$ begin
    update relation_counts set school_id = new.school_id where entry_id = new.id and school_id <> new.school_id;
    return null;
  end $$`,
  `create trigger entries_school after update of school_id on entries
    for each row when (old.school_id <> new.school_id) execute function move_counts_of_entry()`,
];
