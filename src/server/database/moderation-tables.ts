import type { Generated } from 'kysely';
import type { BackgroundColumns } from './review-tables.ts';
import type { Milliseconds } from './tables.ts';

/** What admins decide about, and what follows from their decisions. */
export interface ModerationTables {
  /** The events of a review after it was posted; append-only. */
  review_events: {
    id: Generated<number>;
    /** No foreign key: an event outlives the review. */
    review_id: number;
    /** The school of the review; null in old rows whose review was deleted before this column existed. */
    school_id: number | null;
    happened_at: Milliseconds;
    event: string;
    reason: string | null;
  };
  /** An item of the moderation queue, open or closed. */
  moderation_items: {
    review_id: number;
    school_id: number;
    /** Null for a closed item. */
    opened_at: Milliseconds | null;
    /** Null until the first decision. */
    decided_at: Milliseconds | null;
    /** The entry whose burst the review is part of; null if it is part of none. */
    burst_entry_id: Generated<number | null>;
    /** 1 for an item that is open only because of a burst: it comes after all others in the queue. */
    is_burst_only: Generated<number>;
    /**
     * When the author last changed text or stars after a decision. Without meaning once another decision has followed.
     */
    edited_at: Generated<Milliseconds | null>;
    /** The text as it was at the decision, stored when the author first changes it afterwards; null until then. */
    decided_text: Generated<string | null>;
    /** When an edit last opened the item; null if none did. */
    edit_opened_at: Generated<Milliseconds | null>;
  };
  /** A hide whose event, public line and mail are still to be written. The review is hidden already. */
  held_hides: {
    review_id: number;
    school_id: number;
    reason: string;
    /** The rating when it was hidden. */
    half_stars: number;
    held_at: Milliseconds;
    /** When event, line and mail are written. */
    due_at: Milliseconds;
    /**
     * This column and the next are the times of the review's item before the hide; both are null if there was no item.
     */
    opened_at: Milliseconds | null;
    decided_at: Milliseconds | null;
  };
  reports: {
    id: Generated<number>;
    review_id: number;
    school_id: number;
    /** Null after the user is deleted. */
    user_id: number | null;
    reason: string;
    note: string | null;
    created_at: Milliseconds;
    /** Null while the report is open. */
    decided_at: Generated<Milliseconds | null>;
  };
  appeals: {
    id: Generated<number>;
    review_id: number;
    school_id: number;
    body: string;
    created_at: Milliseconds;
    /** Null while the appeal is open. */
    decided_at: Generated<Milliseconds | null>;
  };
  /**
   * The public lines about hidden and restored reviews, each with a hash that includes the previous line; append-only.
   */
  removals: {
    /** Counted from 1 without gaps. */
    id: number;
    review_id: number;
    /** Truncated to the minute; exact in lines that earlier versions wrote. */
    happened_at: Milliseconds;
    act: string;
    reason: string;
    stars: number;
    category: string;
    hash: string;
  };
  /** One row: the last line of `removals`. */
  removal_heads: {
    id: number;
    last_id: number;
    last_hash: string;
  };
  /** Schools and entries that people propose. */
  proposals: BackgroundColumns & {
    id: Generated<number>;
    /** 'school' or 'entry'. */
    kind: string;
    state: string;
    /** Null after the user is deleted. */
    user_id: number | null;
    created_at: Milliseconds;
    /** Null while the proposal is open. */
    decided_at: Generated<Milliseconds | null>;
    /** Equal for proposals of the same thing: at most one of them is open. */
    equal_key: string;
    /** Only for an entry. */
    school_id: Generated<number | null>;
    category: Generated<string | null>;
    name: string;
    /** Only for a school. */
    location: Generated<string | null>;
    description: string;
    /** The first review. Without one, its columns are null, those of the background too. */
    half_stars: Generated<number | null>;
    review: Generated<string | null>;
    /** 0 or 1. */
    is_anonymous: Generated<number | null>;
    /** The reason for which it was refused. */
    reason: Generated<string | null>;
    /** The id of the school or entry of an accepted proposal. No foreign key: that row may be deleted later. */
    made_id: Generated<number | null>;
    /** Why the review was not posted. */
    obstacle: Generated<string | null>;
  };
  /** The reviews of people who proposed an entry that somebody else had proposed already. */
  proposal_reviews: BackgroundColumns & {
    id: Generated<number>;
    proposal_id: number;
    school_id: number;
    /** Null after the user is deleted. */
    user_id: number | null;
    created_at: Milliseconds;
    half_stars: number;
    review: string;
    /** 0 or 1. */
    is_anonymous: number;
    /** Why the review was not posted when the proposal was accepted. */
    obstacle: Generated<string | null>;
  };
}
