import type { Generated } from 'kysely';
import type { Milliseconds } from './tables.ts';

export interface SchoolTables {
  schools: {
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
    deleted_at: Generated<Milliseconds | null>;
    /** 1 if it was added with PROPOSALS=open and no admin has changed it since. */
    is_unchecked: Generated<number>;
  };
  entries: {
    id: Generated<number>;
    kind: string;
    school_id: number;
    name: string;
    name_key: string;
    description: string;
    /**
     * Null for a current entry. Otherwise the entry that this one was merged into: its row is kept only for reviews that
     * were replaced by newer ones of the same authors.
     */
    merged_into: Generated<number | null>;
    /** Null unless deleted, alone or with the school. */
    deleted_at: Generated<Milliseconds | null>;
    /** 1 if it was added with PROPOSALS=open and no admin has changed it since. */
    is_unchecked: Generated<number>;
  };
  /** The directory: the school of each entry, for statements that have only the entry's id. */
  entry_schools: {
    entry_id: number;
    school_id: number;
  };
  /**
   * The aliases of a school in the form of `match_key`, so that a proposal of a school that exists already is recognised.
   */
  alias_keys: {
    school_id: number;
    match_key: string;
  };
  merged_schools: {
    id: number;
    /** The other school; null after that is deleted. */
    school_id: number | null;
    /** Copied from `schools`, so that an import does not add the school again. */
    prefix_key: string;
    location: string;
    import_key: string | null;
  };
  /** A deletion that an admin can undo: of a school with its entries, or of an entry alone. */
  deletions: {
    id: Generated<number>;
    /** Exactly one of the two is set. */
    school_id: number | null;
    entry_id: number | null;
    /** The admin. No foreign key: a deletion outlives the account. */
    user_id: number;
    deleted_at: Milliseconds;
  };
}
