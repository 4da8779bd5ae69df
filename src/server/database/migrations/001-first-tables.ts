import type { ColumnTypes } from '../migrate.ts';

export const name = '001-first-tables';

/** Schools, entries and reviews; accounts with their sessions, passcodes and throttles; the outbox. */
export function statements({ id, integer, key, tableOptions }: ColumnTypes): string[] {
  return [
    `create table schools (
      id ${id},
      school_name text not null,
      name_key ${key} not null,
      prefix_key ${key} not null,
      description text not null,
      location text not null,
      import_key ${key} unique
    ) ${tableOptions}`,
    'create index schools_by_name on schools (name_key, id)',
    'create index schools_by_prefix on schools (prefix_key, id)',

    `create table entries (
      id ${id},
      kind ${key} not null,
      school_id ${integer} not null references schools (id) on delete cascade,
      name text not null,
      name_key ${key} not null,
      description text not null,
      rating_sum ${integer} not null default 0,
      rating_count ${integer} not null default 0
    ) ${tableOptions}`,
    'create index entries_by_school on entries (school_id, kind, name_key, id)',
    // Contains all columns that the leaderboard reads.
    'create index entries_by_rating on entries (kind, school_id, rating_sum, rating_count)',

    `create table users (
      id ${id},
      username text not null,
      username_key ${key} not null unique,
      email text not null,
      email_key ${key} not null unique,
      password_hash text not null,
      is_admin ${integer} not null default 0 check (is_admin in (0, 1)),
      verified_at ${integer},
      created_at ${integer} not null
    ) ${tableOptions}`,

    `create table reviews (
      id ${id},
      entry_id ${integer} not null references entries (id) on delete cascade,
      school_id ${integer} not null,
      user_id ${integer} references users (id) on delete set null,
      username text,
      rating ${integer} not null check (rating between 1 and 10),
      review text not null,
      created_at ${integer} not null,
      edited_at ${integer},
      unique (entry_id, user_id)
    ) ${tableOptions}`,
    'create index reviews_by_time on reviews (entry_id, created_at, id)',
    'create index reviews_by_user on reviews (user_id)',

    `create table sessions (
      id ${key} primary key,
      user_id ${integer} not null references users (id) on delete cascade,
      created_at ${integer} not null,
      used_at ${integer} not null
    ) ${tableOptions}`,
    'create index sessions_by_user on sessions (user_id)',
    'create index sessions_by_age on sessions (created_at)',

    `create table passcodes (
      user_id ${integer} not null references users (id) on delete cascade,
      purpose ${key} not null,
      salt text not null,
      code_hash text not null,
      tries ${integer} not null default 0,
      expires_at ${integer} not null,
      primary key (user_id, purpose)
    ) ${tableOptions}`,

    `create table throttles (
      key ${key} primary key,
      count ${integer} not null,
      ends_at ${integer} not null
    ) ${tableOptions}`,
    'create index throttles_by_end on throttles (ends_at)',

    `create table outbox (
      id ${id},
      purpose ${key} not null,
      user_id ${integer} not null references users (id) on delete cascade,
      created_at ${integer} not null,
      due_at ${integer} not null,
      attempts ${integer} not null default 0
    ) ${tableOptions}`,
    'create index outbox_by_due on outbox (due_at, id)',
    'create index outbox_by_user on outbox (user_id)',

    `create table profiles (
      user_id ${integer} primary key references users (id) on delete cascade,
      location text not null,
      major text not null,
      academic_level text not null,
      campus_setting text not null,
      finance text not null,
      goals text not null,
      living text not null,
      personal text not null
    ) ${tableOptions}`,
  ];
}
