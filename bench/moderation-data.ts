import { sql } from 'kysely';
import { REASONS, type ReasonKey } from '../src/contract/reasons.ts';
import { insertUser } from '../src/server/accounts/queries.ts';
import type { Connection, Database } from '../src/server/database/database.ts';
import { insertReviews } from '../src/server/reviews/queries.ts';
import { checkRemovals } from '../src/server/reviews/removals/check.ts';
import { insertReport, openItem } from '../src/server/reviews/reports/queries.ts';
import { hideReview, lockReview, recordEvent, restoreReview } from '../src/server/reviews/states/queries.ts';
import { NO_PASSWORD } from '../src/server/security/passwords.ts';
import { type SignedIn, signInAll } from '../tests/support/sign-in.ts';
import { withDatabase } from '../tests/support/with-database.ts';
import type { Store } from './data.ts';

/** How many reviews one transaction decides about. */
const BATCH_SIZE = 200;
const MINUTE = 60_000;
const REASON_KEYS = Object.keys(REASONS) as ReasonKey[];
const REPORTS_OF_OPEN_ITEM = 5;
/** Only one in seven reviews may be reported, so that reported reviews are spread over the whole site. */
const REVIEWS_PER_CANDIDATE = 7;

/** A site after years of moderation, and the people who read it. */
export interface Moderated {
  readonly reports: number;
  readonly openItems: number;
  readonly removals: number;
  /** Has written a tenth as many reviews as there are removals; each was reported and is hidden. */
  readonly author: SignedIn;
  readonly authored: number;
  readonly admin: SignedIn;
  /** Visible reviews that nobody has reported. */
  readonly unreported: readonly number[];
}

/** A reported review and what becomes of it. */
interface Case {
  readonly reviewId: number;
  readonly outcome: 'open' | 'hidden' | 'restored';
}

async function addUser(database: Database, username: string, isAdmin: boolean): Promise<number> {
  const now = Date.now();
  const user = { username, email: `${username}@example.org`, passwordHash: NO_PASSWORD, isAdmin, verifiedAt: now };
  const id = await database.write((db) => insertUser(db, user, now));
  if (id === undefined) throw new Error(`There is a user ${username} already.`);
  return id;
}

/** Adds one review to each of `amount` entries, but none to the entry with the most. @returns the ids of the reviews */
async function addAuthored(database: Database, userId: number, amount: number, from: number): Promise<number[]> {
  const entries = await database.read
    .selectFrom('review_counts')
    .select(['entry_id as entryId', 'school_id as schoolId'])
    .orderBy('review_count', 'desc')
    .orderBy('entry_id')
    .limit(amount)
    .offset(1)
    .execute();
  const reviews = entries.map((entry, index) => ({
    ...entry,
    userId,
    username: null,
    halfStars: 1 + (index % 10),
    createdAt: from + index * MINUTE,
    review: `Review number ${index + 1} of a person who has written far more than anybody should. `.repeat(4),
  }));
  for (let at = 0; at < reviews.length; at += BATCH_SIZE) {
    await database.write((db) => insertReviews(db, reviews.slice(at, at + BATCH_SIZE)));
  }
  const rows = await database.read.selectFrom('reviews').select('id').where('user_id', '=', userId).execute();
  return rows.map(({ id }) => id);
}

/** The ids of every seventh review, but for those by the author. */
async function pickReviews(database: Database, remainder: number, authorId: number): Promise<number[]> {
  const rows = await database.read
    .selectFrom('reviews')
    .select('id')
    .where('user_id', '!=', authorId)
    .where(sql<number>`id % ${sql.lit(REVIEWS_PER_CANDIDATE)}`, '=', remainder)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Reports a review, and then decides about it, as the calls would. */
async function reportAndDecide(db: Connection, { reviewId, outcome }: Case, reporters: readonly number[], at: number) {
  const review = await lockReview(db, reviewId);
  if (!review) throw new Error(`There is no review ${reviewId}.`);
  const reason = REASON_KEYS[reviewId % REASON_KEYS.length] as ReasonKey;
  const first = reviewId % reporters.length;
  const others = [...reporters.slice(first), ...reporters].filter((id) => id !== review.user_id);
  for (const userId of others.slice(0, outcome === 'open' ? REPORTS_OF_OPEN_ITEM : 1)) {
    await insertReport(db, review, { userId, reason, note: null }, at);
    await openItem(db, review, at);
    await recordEvent(db, review, 'reported', at);
  }
  if (outcome === 'open') return;
  await hideReview(db, review, reason, at);
  if (outcome === 'restored') await restoreReview(db, review, at);
}

async function readReporters(database: Database): Promise<number[]> {
  const rows = await database.read.selectFrom('users').select('id').orderBy('id').limit(1_000).execute();
  return rows.map(({ id }) => id);
}

/**
 * Adds so many reports and so many lines to the public list of removals, through the queries of the product.
 * @throws when the chain of removals does not verify
 */
export async function moderate(store: Store, amount: number, say: (line: string) => void): Promise<Moderated> {
  return withDatabase(store.address, async (database) => {
    const reporters = await readReporters(database);
    const authorId = await addUser(database, 'prolific', false);
    const adminId = await addUser(database, 'moderator', true);
    const from = Date.now() - amount * MINUTE;
    const authored = await addAuthored(database, authorId, Math.floor(amount / 10), from);
    const others = await pickReviews(database, 0, authorId);
    const restored = Math.floor((amount - authored.length) / 2);
    const open = Math.floor((amount - authored.length - restored) / REPORTS_OF_OPEN_ITEM);
    if (others.length < restored + open) throw new Error(`There are too few reviews for ${amount} removals.`);
    const cases: Case[] = [
      ...authored.map((reviewId) => ({ reviewId, outcome: 'hidden' as const })),
      ...others.slice(0, restored).map((reviewId) => ({ reviewId, outcome: 'restored' as const })),
      ...others.slice(restored, restored + open).map((reviewId) => ({ reviewId, outcome: 'open' as const })),
    ];
    for (let at = 0; at < cases.length; at += BATCH_SIZE) {
      await database.write(async (db) => {
        for (const [index, one] of cases.slice(at, at + BATCH_SIZE).entries()) {
          await reportAndDecide(db, one, reporters, from + (at + index) * MINUTE);
        }
      });
      if (at % (50 * BATCH_SIZE) === 0) say(`moderated: ${at} of ${cases.length} reviews`);
    }
    // Before ANALYZE, PostgreSQL plans queries as if the new tables were empty.
    if (database.engine === 'postgres') await database.write((db) => sql`analyze`.execute(db));
    const [author, admin] = await signInAll(database, store.tokenSecret, [authorId, adminId]);
    if (!author || !admin) throw new Error('Nobody is signed in.');
    const removals = await verifyChain(database);
    return {
      reports: authored.length + restored + REPORTS_OF_OPEN_ITEM * open,
      openItems: open,
      removals,
      author,
      authored: authored.length,
      admin,
      unreported: await pickReviews(database, 1, authorId),
    };
  });
}

async function verifyChain(database: Database): Promise<number> {
  const { lines, faults } = await checkRemovals(database.read);
  if (faults.length > 0) throw new Error(`The chain of removals does not verify: ${faults.join('; ')}.`);
  return lines;
}

/** Computes the chain of removals anew. @returns its lines. @throws when it does not verify */
export async function countRemovals(store: Store): Promise<number> {
  return withDatabase(store.address, async (database) => {
    return await verifyChain(database);
  });
}
