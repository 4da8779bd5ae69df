import type { Generated } from 'kysely';
import type { Milliseconds } from './tables.ts';

export interface UserTables {
  users: {
    id: Generated<number>;
    username: string;
    username_key: string;
    /** The skeleton of the name. Null while a migration has not filled it yet. */
    username_skeleton: string | null;
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
    /** When the day of the last login began, in UTC. */
    last_login_on: Generated<Milliseconds | null>;
  };
  /** A login that was refused. Kept for 30 days. */
  refused_logins: {
    id: Generated<number>;
    user_id: number;
    reason: string;
    refused_at: Milliseconds;
  };
  /** The outcome of a mail about an account. Kept for 30 days after the mail has left the queue. */
  account_mails: {
    id: Generated<number>;
    user_id: number;
    purpose: string;
    state: string;
    ended_at: Milliseconds;
  };
  sessions: {
    /** The `jti` of the token. */
    id: string;
    user_id: number;
    created_at: Milliseconds;
    used_at: Milliseconds;
  };
  /** A name that its owner gave up. Nobody else gets it for a year. */
  former_names: {
    /** A keyed hash, so that the table contains no names. */
    name_hash: string;
    /** Null after the user is deleted. */
    user_id: number | null;
    changed_at: Milliseconds;
  };
  email_changes: {
    id: Generated<number>;
    user_id: number;
    old_email: string;
    new_email: string;
    asked_at: Milliseconds;
    /**
     * Null while the change waits for its passcode. Afterwards the row stays until the former mailbox has got its notice.
     */
    changed_at: Generated<Milliseconds | null>;
  };
  passcodes: {
    user_id: number;
    purpose: string;
    salt: string;
    code_hash: string;
    tries: Generated<number>;
    expires_at: Milliseconds;
  };
  profiles: {
    user_id: number;
    location: string;
    major: string;
    academic_level: string;
    campus_setting: string;
    finance: string;
    goals: string;
    living: string;
    personal: string;
  };
  saved_schools: {
    user_id: number;
    school_id: number;
    saved_at: Milliseconds;
  };
}
