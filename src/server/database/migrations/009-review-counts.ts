import type { ColumnTypes } from '../migrate.ts';

export const name = '009-review-counts';

/**
 * Counts the reviews of each rating in a narrow table that stores the schools of a category one after the other. It
 * replaces two columns of the wide table of entries and an index of both. The column `rating` is renamed `half_stars`.
 * One index from the user to the entry replaces two. See docs/decisions/013-review-counts.md.
 */
export function statements(types: ColumnTypes): string[] {
  return [
    ...createCounts(types),
    'drop index entries_by_rating',
    'alter table entries drop column rating_sum',
    'alter table entries drop column rating_count',
    ...(types.engine === 'sqlite' ? rebuildReviews(types) : CHANGE_REVIEWS),
  ];
}

const HALF_STARS = Array.from({ length: 10 }, (_, index) => index + 1);
const COLUMNS = HALF_STARS.map((halfStars) => `half_stars_${halfStars}`);

function createCounts({ engine, integer, key }: ColumnTypes): string[] {
  // Leaves free space on each page: an update that fits on its page changes no index.
  const options = engine === 'sqlite' ? 'strict, without rowid' : 'with (fillfactor = 80)';
  return [
    `create table review_counts (
      kind ${key} not null,
      school_id ${integer} not null,
      entry_id ${integer} not null unique references entries (id) on delete cascade,
      ${COLUMNS.map((column) => `${column} integer not null default 0`).join(',\n      ')},
      review_count integer not null generated always as (${COLUMNS.join(' + ')}) stored,
      half_star_sum integer not null generated always as (${HALF_STARS.map((halfStars) => `${halfStars} * half_stars_${halfStars}`).join(' + ')}) stored,
      primary key (kind, school_id, entry_id)
    ) ${options}`,
    `insert into review_counts (kind, school_id, entry_id, ${COLUMNS.join(', ')})
      select entries.kind, entries.school_id, entries.id,
        ${HALF_STARS.map((halfStars) => `count(*) filter (where reviews.rating = ${halfStars})`).join(', ')}
      from entries left join reviews on reviews.entry_id = entries.id
      group by entries.id`,
    ...(engine === 'postgres' ? ['analyze review_counts'] : []),
  ];
}

const CHANGE_REVIEWS = [
  'alter table reviews rename column rating to half_stars',
  'alter table reviews rename constraint reviews_rating_check to reviews_half_stars_check',
  'alter table reviews drop constraint reviews_entry_id_user_id_key',
  'alter table reviews add unique (user_id, entry_id)',
  'drop index reviews_by_user',
];

/** SQLite cannot drop a constraint, so the table is copied. No other table refers to it yet. */
function rebuildReviews({ id, integer, tableOptions }: ColumnTypes): string[] {
  return [
    `create table new_reviews (
      id ${id},
      entry_id ${integer} not null references entries (id) on delete cascade,
      school_id ${integer} not null,
      user_id ${integer} references users (id) on delete set null,
      username text,
      half_stars ${integer} not null check (half_stars between 1 and 10),
      review text not null,
      created_at ${integer} not null,
      edited_at ${integer},
      unique (user_id, entry_id)
    ) ${tableOptions}`,
    // An id must never be assigned twice.
    `insert into sqlite_sequence (name, seq) select 'new_reviews', seq from sqlite_sequence where name = 'reviews'`,
    `insert into new_reviews
      select id, entry_id, school_id, user_id, username, rating, review, created_at, edited_at from reviews order by id`,
    'drop table reviews',
    'alter table new_reviews rename to reviews',
    'create index reviews_by_time on reviews (entry_id, created_at, id)',
    'create index reviews_newest on reviews (created_at, id)',
  ];
}
