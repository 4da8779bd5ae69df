import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Proposals } from './proposal-table.ts';

/** Milliseconds since 1970 in UTC. Responses use ISO 8601. */
export type Milliseconds = number;

interface Schools {
  id: Generated<number>;
  school_name: string;
  /** The name without case and accents, for ordering lists. */
  name_key: string;
  /** The name without case, for prefix searches. */
  prefix_key: string;
  /** The name in the form that proposals are compared with: without case, accents and punctuation. */
  match_key: Generated<string>;
  description: string;
  location: string;
  /** Identifies the row of an imported file, so that importing it again adds nothing. */
  import_key: string | null;
  /** A JSON list of texts. */
  aliases: Generated<string>;
  /** Null for those that there are. */
  deleted_at: Generated<Milliseconds | null>;
}

interface Entries {
  id: Generated<number>;
  kind: string;
  school_id: number;
  name: string;
  name_key: string;
  description: string;
  /**
   * Null for a current entry. Otherwise the entry that this one was merged into. It is kept only for reviews that were
   * replaced by newer ones of the same authors.
   */
  merged_into: Generated<number | null>;
  /** Null for those that there are; set too when the school is deleted. */
  deleted_at: Generated<Milliseconds | null>;
}

/** A school that was merged into another one. */
interface MergedSchools {
  id: number;
  /** The other school; null after that is deleted. */
  school_id: number | null;
  /** Copied from `schools`, so that an import does not add the school again. */
  prefix_key: string;
  location: string;
  import_key: string | null;
}

/** What an admin deleted and can bring back: a school with its entries, or an entry alone. */
interface Deletions {
  id: Generated<number>;
  /** One of both is null. */
  school_id: number | null;
  entry_id: number | null;
  /** The admin. No foreign key: a deletion outlives the account. */
  user_id: number;
  deleted_at: Milliseconds;
}

/** One column for each possible rating. */
export type HalfStarColumn = `half_stars_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`;

/** The number of an entry's counted reviews for each rating. Every entry has one row. */
interface ReviewCounts extends Record<HalfStarColumn, Generated<number>> {
  kind: string;
  school_id: number;
  entry_id: number;
  /** Generated from the ten columns. */
  review_count: GeneratedAlways<number>;
  half_star_sum: GeneratedAlways<number>;
  /** That of the entry: what is deleted is counted nowhere. */
  deleted_at: Generated<Milliseconds | null>;
}

/** The same counts for reviews with a relation. A row exists for each entry and relation that ever had one. */
interface RelationCounts extends Record<HalfStarColumn, Generated<number>> {
  entry_id: number;
  relation: string;
}

interface HelpfulMarks {
  review_id: number;
  user_id: number;
}

interface Reviews {
  id: Generated<number>;
  entry_id: number;
  /** The school of the entry: the key for sharding the data (docs/operations.md). */
  school_id: number;
  /** Null after the user is deleted. */
  user_id: number | null;
  /** Null for an anonymous review. */
  username: string | null;
  /** From 1 to 10. Whole numbers, so that sums are exact. */
  half_stars: number;
  review: string;
  created_at: Milliseconds;
  edited_at: Milliseconds | null;
  /** One of `RELATIONS` of the contract; null if the author gave none. */
  relation: Generated<string | null>;
  /** A year. */
  since: Generated<number | null>;
  until: Generated<number | null>;
  /** The number of its rows in `helpful_marks`, stored for sorting. */
  helpful: Generated<number>;
  /** When an admin hid the review; null if it is not hidden. */
  hidden_at: Generated<Milliseconds | null>;
  /**
   * When the author withdrew the hidden review; otherwise null. Until it is restored, the author cannot post another
   * one for the entry.
   */
  withdrawn_at: Generated<Milliseconds | null>;
  /** 1 if the author's account was new when the review was posted. */
  by_new_account: Generated<number>;
}

/** The events of a review after it was posted; append-only. */
interface ReviewEvents {
  id: Generated<number>;
  /** No foreign key: an event outlives the review. */
  review_id: number;
  happened_at: Milliseconds;
  event: string;
  reason: string | null;
}

/**
 * The public lines about hidden and restored reviews, each with a hash that includes the previous line; append-only.
 */
interface Removals {
  /** Counted from 1 without gaps. */
  id: number;
  review_id: number;
  happened_at: Milliseconds;
  act: string;
  reason: string;
  stars: number;
  category: string;
  hash: string;
}

/** One row: the last line of `removals`. */
interface RemovalHeads {
  id: number;
  last_id: number;
  last_hash: string;
}

/** An item of the moderation queue, open or closed. */
interface ModerationItems {
  review_id: number;
  /** Null for a closed item. */
  opened_at: Milliseconds | null;
  /** Null until the first decision. */
  decided_at: Milliseconds | null;
  /** The entry whose burst the review is part of; null if it is part of none. */
  burst_entry_id: Generated<number | null>;
}

interface Reports {
  id: Generated<number>;
  review_id: number;
  /** Null after the user is deleted. */
  user_id: number | null;
  reason: string;
  note: string | null;
  created_at: Milliseconds;
  /** Null while the report is open. */
  decided_at: Generated<Milliseconds | null>;
}

interface Appeals {
  id: Generated<number>;
  review_id: number;
  body: string;
  created_at: Milliseconds;
  /** Null while the appeal is open. */
  decided_at: Generated<Milliseconds | null>;
}

interface Users {
  id: Generated<number>;
  username: string;
  username_key: string;
  email: string;
  email_key: string;
  password_hash: string;
  /** 0 or 1: SQLite has no booleans. */
  is_admin: Generated<number>;
  verified_at: Milliseconds | null;
  created_at: Milliseconds;
  /** 1 while it is unknown which of several sign-ups with this email the owner made. A reset by mail decides it. */
  is_contested: Generated<number>;
  /** The reason for which an admin blocked the user; otherwise null. */
  blocked_reason: Generated<string | null>;
}

interface Sessions {
  /** The `jti` of the token. */
  id: string;
  user_id: number;
  created_at: Milliseconds;
  used_at: Milliseconds;
}

interface Passcodes {
  user_id: number;
  purpose: string;
  salt: string;
  code_hash: string;
  tries: Generated<number>;
  expires_at: Milliseconds;
}

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
  /** When to try next. While a process is sending the mail, a later time keeps others from taking it. */
  due_at: Milliseconds;
  attempts: Generated<number>;
  /** When the mail was counted against the quotas; null while it is not being sent. */
  counted_at: Milliseconds | null;
  /** The id of the mail's subject. Its table depends on the purpose. */
  subject_id: number | null;
}

interface Profiles {
  user_id: number;
  location: string;
  major: string;
  academic_level: string;
  campus_setting: string;
  finance: string;
  goals: string;
  living: string;
  personal: string;
}

interface SavedSchools {
  user_id: number;
  school_id: number;
  saved_at: Milliseconds;
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
  reason: string | null;
}

interface Migrations {
  number: number;
  name: string;
  applied_at: Milliseconds;
}

/** The tables as Kysely sees them. `migrations/` creates them. */
export interface Tables {
  schools: Schools;
  merged_schools: MergedSchools;
  entries: Entries;
  deletions: Deletions;
  review_counts: ReviewCounts;
  relation_counts: RelationCounts;
  reviews: Reviews;
  helpful_marks: HelpfulMarks;
  users: Users;
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
  reports: Reports;
  appeals: Appeals;
  proposals: Proposals;
  migrations: Migrations;
}

export type UserRow = Selectable<Users>;
