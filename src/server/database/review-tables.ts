import type { Generated, GeneratedAlways } from 'kysely';
import type { Milliseconds } from './tables.ts';

/** What an author says of their time at the school; null where they say nothing. */
export interface BackgroundColumns {
  /** One of `RELATIONS` of the contract. */
  relation: Generated<string | null>;
  /** A year. */
  since: Generated<number | null>;
  until: Generated<number | null>;
}

export interface Reviews extends BackgroundColumns {
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
  /** The number of its rows in `helpful_marks`, stored for sorting. */
  helpful: Generated<number>;
  /** When an admin hid the review; null if it is not hidden. */
  hidden_at: Generated<Milliseconds | null>;
  /**
   * When the author withdrew the hidden review; otherwise null. Until it is restored, the author cannot post another
   * one for the entry.
   */
  withdrawn_at: Generated<Milliseconds | null>;
  /** Whether the author's account was new when the review was posted: one of `BY_NEW_ACCOUNT`. */
  by_new_account: Generated<number>;
}

export interface HelpfulMarks {
  review_id: number;
  user_id: number;
}

/** One column for each possible rating. */
export type HalfStarColumn = `half_stars_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`;

/** The number of an entry's counted reviews for each rating. Every entry has one row. */
export interface ReviewCounts extends Record<HalfStarColumn, Generated<number>> {
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
export interface RelationCounts extends Record<HalfStarColumn, Generated<number>> {
  entry_id: number;
  relation: string;
}
