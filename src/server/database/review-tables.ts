import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Background, BackgroundField } from '../../contract/reviews.ts';
import type { Milliseconds } from './tables.ts';

/** The author's background as columns; null where it is absent. */
export type BackgroundColumns = { [Field in BackgroundField]: Generated<NonNullable<Background[Field]> | null> };

/** The columns as they are read. */
export type BackgroundRow = Selectable<BackgroundColumns>;

export interface ReviewTables {
  reviews: BackgroundColumns & {
    id: Generated<number>;
    entry_id: number;
    /**
     * The school of the entry: the key for sharding the data (docs/distributed.md). Every table with rows of an entry or a
     * review has it, and a merge changes it in all of them.
     */
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
    /**
     * This column and the next are the text and the rating to which the oldest helpful mark was given; null unless they
     * were edited since. Without marks they have no meaning.
     */
    marked_text: Generated<string | null>;
    marked_half_stars: Generated<number | null>;
    /** When an admin hid the review; null if it is not hidden. */
    hidden_at: Generated<Milliseconds | null>;
    /**
     * When the author withdrew the hidden review; otherwise null. Until it is restored, the author cannot post another
     * one for the entry.
     */
    withdrawn_at: Generated<Milliseconds | null>;
    /**
     * The newer review of the same author that replaced this one when two schools were merged; its own id if the newer
     * one is not known; null unless superseded. A superseded review is withdrawn.
     */
    superseded_by: Generated<number | null>;
    /** A value of `BY_NEW_ACCOUNT`: whether the author's account was new, and if so, whether it counts towards a burst. */
    by_new_account: Generated<number>;
  };
  helpful_marks: {
    review_id: number;
    school_id: number;
    user_id: number;
  };
  /** The number of an entry's counted reviews for each rating. Every entry has one row, except merged ones. */
  review_counts: Record<HalfStarColumn, Generated<number>> & {
    kind: string;
    school_id: number;
    entry_id: number;
    /** Generated from the ten columns. */
    review_count: GeneratedAlways<number>;
    half_star_sum: GeneratedAlways<number>;
    /** The same as in the entry's row: deleted entries are not counted. */
    deleted_at: Generated<Milliseconds | null>;
  };
  /**
   * The same counts by the author's relation to the school. A row exists for each entry and relation that ever had a
   * review.
   */
  relation_counts: Record<HalfStarColumn, Generated<number>> & {
    entry_id: number;
    school_id: number;
    relation: string;
  };
}

/** The key of a review in the tables that have rows about it. */
export interface ReviewKey {
  readonly id: number;
  readonly school_id: number;
}

interface ReviewQuery<Query> {
  where(column: 'review_id' | 'school_id', operator: '=', value: number): Query;
}

/** Limits a query to the rows about a review. */
export const ofReview = <Query extends ReviewQuery<Query>>(query: Query, { id, school_id }: ReviewKey): Query =>
  query.where('review_id', '=', id).where('school_id', '=', school_id);

type SchoolOf<Column> = Column extends `${infer Table}.${string}` ? `${Table}.school_id` : never;

interface Join<One, Other> {
  onRef(one: One | SchoolOf<One>, operator: '=', other: Other | SchoolOf<Other>): this;
}

/** Joins rows of the same school by a column of each: a review and an entry are identified by their school too. */
export function onSameSchool<One extends string, Other extends string>(one: One, other: Other) {
  const schoolOf = <Column extends string>(column: Column) =>
    `${column.slice(0, column.indexOf('.'))}.school_id` as SchoolOf<Column>;
  return <J extends Join<One, Other>>(join: J) =>
    join.onRef(one, '=', other).onRef(schoolOf(one), '=', schoolOf(other));
}

/** The key of an entry in the tables that have rows about it. */
export interface EntryKey {
  readonly id: number;
  readonly schoolId: number;
}

export const TABLES_OF_REVIEWS = [
  ...(['helpful_marks', 'moderation_items', 'reports', 'appeals', 'review_events', 'held_hides'] as const),
];

export type HalfStarColumn = `half_stars_${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10}`;
