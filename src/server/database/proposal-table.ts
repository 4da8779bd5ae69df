import type { Generated } from 'kysely';
import type { BackgroundColumns } from './review-tables.ts';
import type { Milliseconds } from './tables.ts';

/** Schools and entries that people propose. */
export interface Proposals extends BackgroundColumns {
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
}

/** The reviews of people who proposed an entry that somebody else had proposed already. */
export interface ProposalReviews extends BackgroundColumns {
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
}
