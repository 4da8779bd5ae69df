import type { ColumnTypes } from '../migrate.ts';

export const name = '012-review-states';

/**
 * Reviews can be hidden and restored: their state, the events that their authors see, the moderation queue, and the
 * public hash chain of removals. See docs/decisions/016-review-states.md.
 */
export function statements(types: ColumnTypes): string[] {
  const { integer } = types;
  return [
    `alter table reviews add column hidden_at ${integer}`,
    `alter table reviews add column withdrawn_at ${integer}`,
    `alter table reviews add column by_new_account ${integer} not null default 0`,
    // Contains only hidden reviews, so that a post writes nothing here.
    `create index reviews_hidden on reviews (half_stars, entry_id) where hidden_at is not null`,
    ...createEvents(types),
    ...createRemovals(types),
    ...createQueue(types),
  ];
}

function createEvents(types: ColumnTypes): string[] {
  const { id, integer, tableOptions } = types;
  return [
    // No foreign keys: an event outlives its review. Posting is no event: `created_at` of the review says when.
    `create table review_events (
      id ${id},
      review_id ${integer} not null,
      happened_at ${integer} not null,
      event text not null,
      reason text
    ) ${tableOptions}`,
    `insert into review_events (review_id, happened_at, event)
      select id, edited_at, 'edited' from reviews where edited_at is not null order by edited_at, id`,
    'create index review_events_by_review on review_events (review_id, id)',
    ...appendOnly('review_events', types),
  ];
}

function createRemovals(types: ColumnTypes): string[] {
  const { integer, tableOptions } = types;
  return [
    `create table removals (
      id ${integer} primary key,
      review_id ${integer} not null,
      happened_at ${integer} not null,
      act text not null,
      reason text not null,
      stars ${integer} not null,
      category text not null,
      hash text not null
    ) ${tableOptions}`,
    'create index removals_by_review on removals (review_id, id)',
    ...appendOnly('removals', types),
    // A single row, made with the first line. Every transaction that adds a line locks it, so that concurrent lines
    // form one chain.
    `create table removal_heads (
      id ${integer} primary key check (id = 1),
      last_id ${integer} not null,
      last_hash text not null
    ) ${tableOptions}`,
  ];
}

function createQueue({ id, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table moderation_items (
      review_id ${integer} primary key references reviews (id) on delete cascade,
      opened_at ${integer},
      decided_at ${integer},
      is_burst ${integer} not null default 0
    ) ${tableOptions}`,
    `create index moderation_items_open on moderation_items (opened_at, review_id) where opened_at is not null`,
    `create index moderation_items_closed on moderation_items (decided_at, review_id) where opened_at is null`,
    `create table reports (
      id ${id},
      review_id ${integer} not null references reviews (id) on delete cascade,
      user_id ${integer} references users (id) on delete set null,
      reason text not null,
      note text,
      created_at ${integer} not null,
      decided_at ${integer},
      unique (review_id, user_id)
    ) ${tableOptions}`,
    'create index reports_by_user on reports (user_id, created_at)',
    `create table appeals (
      id ${id},
      review_id ${integer} not null references reviews (id) on delete cascade,
      body text not null,
      created_at ${integer} not null,
      decided_at ${integer}
    ) ${tableOptions}`,
    'create index appeals_by_review on appeals (review_id, id)',
  ];
}

/** The database itself refuses changes of recorded rows. */
function appendOnly(table: string, { engine }: ColumnTypes): string[] {
  if (engine === 'sqlite') {
    return ['update', 'delete'].map(
      (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, '${table} is append-only'); end`,
    );
  }
  return [
    `create trigger ${table}_append_only before update or delete on ${table}
      for each row execute function refuse_change()`,
    `create trigger ${table}_no_truncate before truncate on ${table}
      for each statement execute function refuse_change()`,
  ];
}
