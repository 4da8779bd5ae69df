import { NEW_ACCOUNT_DAYS } from '../src/contract/bursts.ts';
import { CATEGORIES, type Category } from '../src/contract/categories.ts';
import { COMPARED_MAX } from '../src/contract/pages.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import { insertUsers } from '../src/server/accounts/queries.ts';
import type { Database } from '../src/server/database/database.ts';
import { NO_PASSWORD } from '../src/server/security/passwords.ts';
import { type SignedIn, signInAll } from '../tests/support/sign-in.ts';
import { withDatabase } from '../tests/support/with-database.ts';
import type { Store } from './data.ts';
import type { PostTarget } from './load.ts';

const WRITERS = 500;
/** The ordinary entry is the most reviewed one of those with at most this number of reviews. */
const ORDINARY_REVIEWS = 100;
/** The writers' accounts are old: many posts by new accounts would be a burst. */
const JOINED_AGO = 2 * NEW_ACCOUNT_DAYS * 24 * 60 * 60_000;

export interface Entry {
  id: number;
  category: Category;
  reviews: number;
}

/** What the load asks for. */
export interface Subjects {
  /** The entry with the most reviews. */
  hottest: Entry;
  ordinary: Entry;
  /** The schools of the entries with the most reviews, that of the hottest first. */
  schoolIds: readonly number[];
  entries: readonly Entry[];
  /** The users who post reviews as part of the load. */
  writers: readonly SignedIn[];
  /** One more user, for reviews that are posted one by one. */
  tester: SignedIn;
  targets: readonly PostTarget[];
}

async function signInWriters(database: Database, tokenSecret: string): Promise<SignedIn[]> {
  const now = Date.now();
  const names = Array.from({ length: WRITERS + 1 }, (_, index) => {
    const username = `writer-${now.toString(36)}-${index}`;
    return { username, email: `${username}@example.org`, passwordHash: NO_PASSWORD, createdAt: now - JOINED_AGO };
  });
  return signInAll(database, tokenSecret, await database.write((db) => insertUsers(db, names)));
}

/** Picks what is read, and adds and signs in users who have not reviewed anything yet. */
export async function readSubjects(store: Store): Promise<Subjects> {
  return withDatabase(store.address, async (database) => {
    const byKind = new Map(CATEGORIES.map((category) => [category.kind, category]));
    const rows = await database.read
      .selectFrom('review_counts')
      .select(['entry_id as id', 'kind', 'school_id', 'review_count as reviews'])
      .orderBy('reviews', 'desc')
      .orderBy('id')
      .execute();
    const entries = rows.map(({ id, kind, reviews }): Entry => {
      const category = byKind.get(kind);
      if (!category) throw new Error(`There is no category "${kind}".`);
      return { id, category, reviews };
    });
    const hottest = entries[0];
    const ordinary = entries.find(({ reviews }) => reviews <= ORDINARY_REVIEWS);
    const [tester, ...writers] = await signInWriters(database, store.tokenSecret);
    if (!hottest || !ordinary || !tester) throw new Error('There are no entries to read.');
    return {
      hottest,
      ordinary,
      schoolIds: [...new Set(rows.map((row) => row.school_id))].slice(0, COMPARED_MAX),
      entries,
      writers,
      tester,
      targets: entries.map(({ id, category }) => [reviewCalls(category).post.path, category.itemKey, id]),
    };
  });
}

export async function countReviews(store: Store): Promise<number> {
  return withDatabase(store.address, async (database) => {
    const { count } = await database.read
      .selectFrom('reviews')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  });
}
