import type { Generated, Selectable } from 'kysely';
import type { ModerationTables } from './moderation-tables.ts';
import type { ReviewTables } from './review-tables.ts';
import type { SchoolTables } from './school-tables.ts';
import type { UserTables } from './user-tables.ts';

/** Milliseconds since 1970 in UTC. Responses use ISO 8601. */
export type Milliseconds = number;

/** The tables as Kysely sees them. `migrations/` creates them. */
export interface Tables extends SchoolTables, ReviewTables, UserTables, ModerationTables {
  throttles: {
    key: string;
    count: number;
    ends_at: Milliseconds;
  };
  outbox: {
    id: Generated<number>;
    purpose: string;
    user_id: number;
    created_at: Milliseconds;
    /** When to try next. While a process is sending the mail, this is a later time, so that no other process sends it. */
    due_at: Milliseconds;
    attempts: Generated<number>;
    /** When the mail was counted against the quotas; null while it is not being sent. */
    counted_at: Milliseconds | null;
    /** The id of the mail's subject. Its table depends on the purpose. */
    subject_id: number | null;
  };
  /** Something that happened on the site, kept until its day is over and is counted in `site_days`. */
  site_acts: {
    id: Generated<number>;
    act: string;
    happened_at: Milliseconds;
  };
  site_days: {
    /** The number of the day since 1970, in UTC. */
    day: number;
    act: string;
    amount: number;
  };
  /** A single row: when the admins were last notified of what waits. */
  waiting_mails: {
    id: number;
    mailed_at: Milliseconds;
  };
  audit_entries: {
    id: Generated<number>;
    happened_at: Milliseconds;
    /** Null for the command line. No foreign key: an audit entry outlives the user. */
    user_id: number | null;
    /** The name of the call or command. */
    act: string;
    subject_kind: string;
    /** Null for an old audit entry whose subject was a text. */
    subject_id: number | null;
    /** The decision, such as `hide`; null if the act says all. */
    action: string | null;
    reason: string | null;
    note: string | null;
  };
  migrations: {
    number: number;
    name: string;
    applied_at: Milliseconds;
  };
  /** A single row. */
  served_versions: {
    id: number;
    /** The oldest version whose processes work on the schema. */
    oldest: string;
  };
  /** The changes of the last minute, on PostgreSQL alone. */
  change_log: {
    /** The number of the transaction, which the database fills in. */
    xid: Generated<string>;
    /** In the form of `writeTags`. */
    tags: string;
  };
  /** A single row, on PostgreSQL alone. */
  replica_beats: {
    id: number;
    beat: number;
  };
}

export type StoredRow<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type UserRow = StoredRow<'users'>;
