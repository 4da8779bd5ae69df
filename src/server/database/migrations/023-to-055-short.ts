import type { ColumnTypes, QuickMigration, SlowMigration } from '../migrate.ts';

// The short migrations after version 0.1.0, each run in its place between those that have a file of their own.

/**
 * The oldest version whose processes still work on the schema, in a single row. See docs/decisions/022-upgrades.md.
 */
export const servedVersions: QuickMigration = {
  name: '023-served-versions',
  statements({ integer, tableOptions }: ColumnTypes): string[] {
    return [
      `create table served_versions (
      id ${integer} primary key check (id = 1),
      oldest text not null
    ) ${tableOptions}`,
      `insert into served_versions (id, oldest) values (1, '0.1.0')`,
    ];
  },
};

/**
 * The moderation queue shows reported reviews and appeals before reviews that are open only because of a burst, of which
 * a few accounts can make hundreds.
 */
export const queueOrder: QuickMigration = {
  name: '025-queue-order',
  statements({ integer }: ColumnTypes): string[] {
    return [
      `alter table moderation_items add column is_burst_only ${integer} not null default 0`,
      `update moderation_items set is_burst_only = 1
      where burst_entry_id is not null and opened_at is not null
        and not exists (select 1 from reports
          where reports.review_id = moderation_items.review_id and reports.decided_at is null)
        and not exists (select 1 from appeals
          where appeals.review_id = moderation_items.review_id and appeals.decided_at is null)`,
    ];
  },
};

/**
 * The order of the moderation queue. The previous version reads its order from `moderation_items_open`, which the next
 * release can drop.
 */
export const queueIndex: SlowMigration = {
  name: '026-queue-index',
  indexes: [
    `create index moderation_items_queue on moderation_items (is_burst_only, opened_at, review_id)
    where opened_at is not null`,
  ],
};

const APPEND_ONLY = ['audit_entries', 'review_events', 'removals'];

/**
 * SQLite's INSERT OR REPLACE deletes the row that is there without running its triggers, unless the connection asks for
 * them (https://www.sqlite.org/lang_conflict.html): whoever opened the file could replace a recorded row. A row that is
 * added without an id never conflicts. PostgreSQL's ON CONFLICT makes an update, which is refused already.
 */
export const noReplace: QuickMigration = {
  name: '028-no-replace',
  statements({ engine }: ColumnTypes): string[] {
    if (engine === 'postgres') return [];
    return APPEND_ONLY.map(
      (table) => `create trigger ${table}_no_replace before insert on ${table}
      when exists (select 1 from ${table} where id = new.id)
      begin select raise(abort, '${table} is append-only'); end`,
    );
  },
};

/** The key of proposals to which later reviews refer, so that these move along when the school is merged. */
export const schoolsOfProposals: SlowMigration = {
  name: '036-schools-of-proposals',
  indexes: ['create unique index proposals_of_school on proposals (id, school_id)'],
};

/** When the admins were last told what waits for them: one row. */
export const waitingMails: QuickMigration = {
  name: '046-waiting-mails',
  statements({ integer, tableOptions }: ColumnTypes): string[] {
    return [
      `create table waiting_mails (
      id ${integer} primary key,
      mailed_at ${integer} not null
    ) ${tableOptions}`,
    ];
  },
};

/**
 * The tags that each transaction invalidates in all processes, under the number of that transaction: see
 * `change-log.ts`. SQLite has one process. The log is never empty: it begins with the first number that PostgreSQL
 * assigns.
 */
export const changeLog: QuickMigration = {
  name: '050-change-log',
  statements({ engine }: ColumnTypes): string[] {
    if (engine === 'sqlite') return [];
    return [
      'create table change_log (xid xid8 primary key default pg_current_xact_id(), tags text not null)',
      `insert into change_log (xid, tags) values ('3', '')`,
    ];
  },
};

/** A number that the primary raises, in a single row: a replica that has a number has every commit before it. */
export const replicaBeats: QuickMigration = {
  name: '051-replica-beats',
  statements({ engine, integer }: ColumnTypes): string[] {
    if (engine === 'sqlite') return [];
    return [
      `create table replica_beats (id ${integer} primary key check (id = 1), beat ${integer} not null)`,
      'insert into replica_beats (id, beat) values (1, 0)',
    ];
  },
};

/**
 * Without this index, SQLite sorts the lists by rating from what the index by time contains. A post changed indexes in
 * three places: this one took a third of its processor time. PostgreSQL keeps its index, because its entries may have a
 * hundred times as many reviews. See docs/decisions/017-reading-reviews.md.
 */
export const noRatingIndex: QuickMigration = {
  name: '055-no-rating-index',
  statements: ({ engine }: ColumnTypes): string[] => (engine === 'sqlite' ? ['drop index reviews_by_rating'] : []),
};
