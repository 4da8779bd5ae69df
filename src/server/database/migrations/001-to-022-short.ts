import type { ColumnTypes, QuickMigration } from '../migrate.ts';

// The short migrations of version 0.1.0, each run in its place between those that have a file of their own.

/**
 * Partial indexes for the few users that the expiry and a demotion look for. Without them both read every user inside a
 * write: with a million users that took 57 ms, in which SQLite serves nobody else.
 */
export const userIndexes: QuickMigration = {
  name: '002-user-indexes',
  statements() {
    return [
      'create index users_unverified on users (created_at) where verified_at is null',
      'create index users_admins on users (is_admin) where is_admin = 1',
    ];
  },
};

/** For the admins' list of the newest reviews of all entries, which would otherwise sort all reviews for each page. */
export const newestReviews: QuickMigration = {
  name: '004-newest-reviews',
  statements() {
    return ['create index reviews_newest on reviews (created_at, id)'];
  },
};

/** Marks accounts that somebody other than the mailbox's owner may have created, and mails that are counted already. */
export const contestedAccounts: QuickMigration = {
  name: '005-contested-accounts',
  statements({ integer }: ColumnTypes) {
    return [
      `alter table users add column is_contested ${integer} not null default 0 check (is_contested in (0, 1))`,
      `alter table outbox add column counted_at ${integer}`,
      'create index outbox_pending on outbox (purpose) where counted_at is null',
    ];
  },
};

/** TRUNCATE, which only PostgreSQL has, runs no trigger for rows, so it could empty the audit log. */
export const noTruncate: QuickMigration = {
  name: '006-no-truncate',
  statements({ engine }: ColumnTypes) {
    if (engine === 'sqlite') return [];
    return [
      `create trigger admin_acts_no_truncate before truncate on admin_acts
      for each statement execute function refuse_change()`,
    ];
  },
};

/** The id of the mail's subject. It has no foreign key, because its table depends on the purpose of the mail. */
export const mailSubjects: QuickMigration = {
  name: '008-mail-subjects',
  statements({ integer }: ColumnTypes) {
    return [`alter table outbox add column subject_id ${integer}`];
  },
};

/** The optional data about the author, and the number of helpful marks. No row is rewritten. */
export const reviewBackground: QuickMigration = {
  name: '010-review-background',
  statements({ key, integer }: ColumnTypes) {
    return [
      `alter table reviews add column relation ${key} check (relation in ('student', 'alumnus', 'parent', 'educator'))`,
      `alter table reviews add column since ${integer}`,
      `alter table reviews add column until ${integer}`,
      `alter table reviews add column helpful ${integer} not null default 0 check (helpful >= 0)`,
    ];
  },
};

/** Other names of a school as a JSON list, because they are only read and written together with the school. */
export const aliases: QuickMigration = {
  name: '011-aliases',
  statements() {
    return [`alter table schools add column aliases text not null default '[]'`];
  },
};

/** The schools that users have saved. Deleted with the school or the user: each deletion has an index. */
export const savedSchools: QuickMigration = {
  name: '013-saved-schools',
  statements({ integer, tableOptions }: ColumnTypes) {
    return [
      `create table saved_schools (
      user_id ${integer} not null references users (id) on delete cascade,
      school_id ${integer} not null references schools (id) on delete cascade,
      saved_at ${integer} not null,
      primary key (user_id, school_id)
    ) ${tableOptions}`,
      'create index saved_schools_newest on saved_schools (user_id, saved_at, school_id)',
      'create index saved_schools_by_school on saved_schools (school_id)',
    ];
  },
};

/** The reason for which a user is blocked; null for a user who is not blocked. */
export const blockedUsers: QuickMigration = {
  name: '015-blocked-users',
  statements() {
    return ['alter table users add column blocked_reason text'];
  },
};

/**
 * An item of the moderation queue names the entry with the burst, so that the entry's summary finds it by an index.
 * Reviews by new accounts have an index of their own, so that posts by other accounts write nothing there. See
 * docs/decisions/019-bursts.md.
 */
export const bursts: QuickMigration = {
  name: '016-bursts',
  statements({ integer }: ColumnTypes) {
    return [
      'alter table moderation_items drop column is_burst',
      `alter table moderation_items add column burst_entry_id ${integer}`,
      `create index moderation_items_of_bursts on moderation_items (burst_entry_id)
      where burst_entry_id is not null and opened_at is not null`,
      'create index reviews_by_new_accounts on reviews (entry_id, created_at) where by_new_account = 1',
    ];
  },
};

/**
 * Gives imported universities one name of their country: public lists write both "Viet Nam" and "Vietnam". The import
 * keys stay, so that importing the list again adds nothing.
 */
export const vietnam: QuickMigration = {
  name: '022-vietnam',
  statements() {
    const isListed = `import_key like 'site:%' and (location = 'Viet Nam' or location like '%, Viet Nam')`;
    return [
      `update schools
      set location = replace(location, 'Viet Nam', 'Vietnam'),
        description = replace(description, 'Viet Nam', 'Vietnam')
      where ${isListed}`,
      `update merged_schools set location = replace(location, 'Viet Nam', 'Vietnam') where ${isListed}`,
    ];
  },
};
