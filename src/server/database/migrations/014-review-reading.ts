import type { ColumnTypes } from '../migrate.ts';

export const name = '014-review-reading';

const COLUMNS = Array.from({ length: 10 }, (_, index) => `half_stars_${index + 1}`);

/**
 * The indexes and tables for sorted and filtered lists, summaries and helpful marks. The index by time also contains
 * the columns that a list is filtered by, so that other rows are skipped within the index. See
 * docs/decisions/017-reading-reviews.md.
 */
export function statements({ engine, integer, key }: ColumnTypes): string[] {
  const narrow = engine === 'sqlite' ? 'strict, without rowid' : '';
  const counted = engine === 'sqlite' ? narrow : 'with (fillfactor = 80)';
  return [
    'drop index reviews_by_time',
    'create index reviews_by_time on reviews (entry_id, created_at, id, half_stars, relation, helpful, hidden_at, withdrawn_at)',
    'create index reviews_by_rating on reviews (entry_id, half_stars, created_at, id, relation, hidden_at, withdrawn_at)',
    // Without reviews that nobody marked: a new review does not write to this index.
    'create index reviews_by_helpful on reviews (entry_id, helpful, created_at, id) where helpful > 0',

    `create table helpful_marks (
      review_id ${integer} not null references reviews (id) on delete cascade,
      user_id ${integer} not null references users (id) on delete cascade,
      primary key (review_id, user_id)
    ) ${narrow}`,
    'create index helpful_marks_by_user on helpful_marks (user_id, review_id)',

    `create table relation_counts (
      entry_id ${integer} not null references entries (id) on delete cascade,
      relation ${key} not null,
      ${COLUMNS.map((column) => `${column} integer not null default 0`).join(',\n      ')},
      primary key (entry_id, relation)
    ) ${counted}`,
    `insert into relation_counts (entry_id, relation, ${COLUMNS.join(', ')})
      select entry_id, relation, ${COLUMNS.map((_, index) => `count(*) filter (where half_stars = ${index + 1})`).join(', ')}
      from reviews where relation is not null and hidden_at is null and withdrawn_at is null
      group by entry_id, relation`,
  ];
}
