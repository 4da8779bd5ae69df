import type { Generated, Selectable } from 'kysely';
import type {
  Appeals,
  HeldHides,
  ModerationItems,
  RemovalHeads,
  Removals,
  Reports,
  ReviewEvents,
} from './moderation-tables.ts';
import type { ProposalReviews, Proposals } from './proposal-table.ts';
import type { HelpfulMarks, RelationCounts, ReviewCounts, Reviews } from './review-tables.ts';
import type { AliasKeys, Deletions, Entries, EntrySchools, MergedSchools, Schools } from './school-tables.ts';
import type {
  AccountMails,
  EmailChanges,
  FormerNames,
  Passcodes,
  Profiles,
  RefusedLogins,
  SavedSchools,
  Sessions,
  Users,
} from './user-tables.ts';

/** Milliseconds since 1970 in UTC. Responses use ISO 8601. */
export type Milliseconds = number;

interface Throttles {
  key: string;
  count: number;
  ends_at: Milliseconds;
}

interface Outbox {
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
}

/** Something that happened on the site, kept until its day is over and is counted in `site_days`. */
interface SiteActs {
  id: Generated<number>;
  act: string;
  happened_at: Milliseconds;
}

interface SiteDays {
  /** The number of the day since 1970, in UTC. */
  day: number;
  act: string;
  amount: number;
}

/** A single row: when the admins were last notified of what waits. */
interface WaitingMails {
  id: number;
  mailed_at: Milliseconds;
}

interface AuditEntries {
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
}

interface Migrations {
  number: number;
  name: string;
  applied_at: Milliseconds;
}

/** A single row. */
interface ServedVersions {
  id: number;
  /** The oldest version whose processes work on the schema. */
  oldest: string;
}

/** The changes of the last minute, on PostgreSQL alone. */
interface ChangeLog {
  /** The number of the transaction, which the database fills in. */
  xid: Generated<string>;
  /** In the form of `writeTags`. */
  tags: string;
}

/** A single row, on PostgreSQL alone. */
interface ReplicaBeats {
  id: number;
  beat: number;
}

/** The tables as Kysely sees them. `migrations/` creates them. */
export interface Tables {
  schools: Schools;
  alias_keys: AliasKeys;
  merged_schools: MergedSchools;
  entry_schools: EntrySchools;
  entries: Entries;
  deletions: Deletions;
  review_counts: ReviewCounts;
  relation_counts: RelationCounts;
  reviews: Reviews;
  helpful_marks: HelpfulMarks;
  users: Users;
  former_names: FormerNames;
  email_changes: EmailChanges;
  refused_logins: RefusedLogins;
  account_mails: AccountMails;
  sessions: Sessions;
  passcodes: Passcodes;
  throttles: Throttles;
  outbox: Outbox;
  profiles: Profiles;
  saved_schools: SavedSchools;
  audit_entries: AuditEntries;
  review_events: ReviewEvents;
  removals: Removals;
  removal_heads: RemovalHeads;
  moderation_items: ModerationItems;
  held_hides: HeldHides;
  reports: Reports;
  appeals: Appeals;
  proposals: Proposals;
  proposal_reviews: ProposalReviews;
  site_acts: SiteActs;
  site_days: SiteDays;
  waiting_mails: WaitingMails;
  migrations: Migrations;
  served_versions: ServedVersions;
  change_log: ChangeLog;
  replica_beats: ReplicaBeats;
}

export type StoredRow<Table extends keyof Tables> = Selectable<Tables[Table]>;

export type UserRow = StoredRow<'users'>;
