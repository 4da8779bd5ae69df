import type { Generated } from 'kysely';
import type { Milliseconds } from './tables.ts';

/** Schools and entries that people propose. */
export interface Proposals {
  id: Generated<number>;
  /** school or entry. */
  kind: string;
  state: string;
  /** Null once the user is deleted. */
  user_id: number | null;
  created_at: Milliseconds;
  /** Null while it is open. */
  decided_at: Generated<Milliseconds | null>;
  /** Equal proposals have the same; of them one is open. */
  equal_key: string;
  /** Of an entry. */
  school_id: Generated<number | null>;
  category: Generated<string | null>;
  name: string;
  /** Of a school. */
  location: Generated<string | null>;
  description: string;
  /** The first review; all null without one. */
  half_stars: Generated<number | null>;
  review: Generated<string | null>;
  /** 0 or 1. */
  is_anonymous: Generated<number | null>;
  relation: Generated<string | null>;
  since: Generated<number | null>;
  until: Generated<number | null>;
  /** Why it was refused. */
  reason: Generated<string | null>;
  /** The school or entry that it was accepted as. No foreign key: it may be deleted since. */
  made_id: Generated<number | null>;
  /** Why its review was not posted. */
  obstacle: Generated<string | null>;
}
