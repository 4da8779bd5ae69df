import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/** Milliseconds since 1970 in UTC. Responses use ISO 8601. */
export type Milliseconds = number;

interface Schools {
  id: Generated<number>;
  school_name: string;
  /** The name without case and accents, for ordering lists. */
  name_key: string;
  /** The name without case, for comparing a prefix. */
  prefix_key: string;
  description: string;
  location: string;
  /** Identifies the row of an imported file, so that a second import finds it. */
  import_key: string | null;
  /** A JSON list of texts. */
  aliases: Generated<string>;
}

interface Entries {
  id: Generated<number>;
  kind: string;
  school_id: number;
  name: string;
  name_key: string;
  description: string;
  /**
   * Null for those that there are. The entry that took this one's place in a merge: this one is only kept for reviews
   * that gave way to newer ones of their authors.
   */
  merged_into: Generated<number | null>;
}

/** A school that was merged into another one. */
interface MergedSchools {
  id: number;
  /** Null once that one is deleted. */
  school_id: number | null;
  /** As they were in `schools`: an import does not add the school again. */
  prefix_key: string;
  location: string;
  import_key: string | null;
}

/** One for each number of half-stars that a review can give. */
export type HalfStarColumn = `half_stars_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`;

/** How many counted reviews an entry has of each number of half-stars; one row for each entry. */
interface ReviewCounts extends Record<HalfStarColumn, Generated<number>> {
  kind: string;
  school_id: number;
  entry_id: number;
  /** Made of the ten by the database. */
  review_count: GeneratedAlways<number>;
  half_star_sum: GeneratedAlways<number>;
}

/** The same of those whose authors say what they are: a row for each entry and relation that has had any. */
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
  /** The entry's school: the key for sharding the data (docs/operations.md). */
  school_id: number;
  /** Null once the user is deleted. */
  user_id: number | null;
  /** Null when anonymous. */
  username: string | null;
  /** 1 to 10: whole numbers, so that sums are exact. */
  half_stars: number;
  review: string;
  created_at: Milliseconds;
  edited_at: Milliseconds | null;
  /** One of the contract's; what authors do not say about themselves is null. */
  relation: Generated<string | null>;
  /** A year. */
  since: Generated<number | null>;
  until: Generated<number | null>;
  /** How many marks it has in `helpful_marks`, for sorting. */
  helpful: Generated<number>;
  /** Null unless an admin has hidden it. */
  hidden_at: Generated<Milliseconds | null>;
  /** Null unless its author has withdrawn it since: until it is restored nothing may be posted in its place. */
  withdrawn_at: Generated<Milliseconds | null>;
  /** 1 when its author's account was new as it was posted. */
  by_new_account: Generated<number>;
}

/** What happened to a review since it was posted; append-only. */
interface ReviewEvents {
  id: Generated<number>;
  /** No foreign key: an event outlives the review. */
  review_id: number;
  happened_at: Milliseconds;
  event: string;
  reason: string | null;
}

/** The public lines about reviews that were hidden or restored, each with the hash of the line before; append-only. */
interface Removals {
  /** From 1, without gaps. */
  id: number;
  review_id: number;
  happened_at: Milliseconds;
  act: string;
  reason: string;
  stars: number;
  category: string;
  hash: string;
}

/** One row: the last line of the removals. */
interface RemovalHeads {
  id: number;
  last_id: number;
  last_hash: string;
}

/** A review that is or was in the queue of the admins. */
interface ModerationItems {
  review_id: number;
  /** Null while nothing about it is open. */
  opened_at: Milliseconds | null;
  /** Null until the first decision. */
  decided_at: Milliseconds | null;
  /** The entry that the review is part of a burst of; null when it is part of none. */
  burst_entry_id: Generated<number | null>;
}

interface Reports {
  id: Generated<number>;
  review_id: number;
  /** Null once the user is deleted. */
  user_id: number | null;
  reason: string;
  note: string | null;
  created_at: Milliseconds;
  /** Null while it is open. */
  decided_at: Generated<Milliseconds | null>;
}

interface Appeals {
  id: Generated<number>;
  review_id: number;
  body: string;
  created_at: Milliseconds;
  /** Null while it is open. */
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
  /** 1 while it is unknown which of several sign-ups with this email its owner made: a reset by mail decides. */
  is_contested: Generated<number>;
  /** Null unless an admin has blocked the user. */
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
  /** When to try next; moved forward while a process is sending the mail. */
  due_at: Milliseconds;
  attempts: Generated<number>;
  /** When it was counted against the quotas; null while it is not being sent. */
  counted_at: Milliseconds | null;
  /** What the mail is about; of which kind is for its purpose to say. */
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

/** The tables as Kysely knows them; `migrations/` makes them. */
export interface Tables {
  schools: Schools;
  merged_schools: MergedSchools;
  entries: Entries;
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
  migrations: Migrations;
}

export type UserRow = Selectable<Users>;
