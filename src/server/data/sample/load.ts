import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CATEGORIES } from '../../../contract/categories.ts';
import { DAY } from '../../../contract/durations.ts';
import type { Background } from '../../../contract/reviews.ts';
import { findUserByEmail, insertUser } from '../../accounts/queries.ts';
import type { Connection, Database } from '../../database/database.ts';
import { isInUse } from '../../database/integrity.ts';
import { tryLockName } from '../../database/lock-row.ts';
import type { ReviewKey } from '../../database/review-tables.ts';
import { insertEntry } from '../../entries/queries.ts';
import { changes } from '../../http/cache/tags.ts';
import { insertProposal } from '../../proposals/proposed-queries.ts';
import { addToHelpful, insertMark } from '../../reviews/helpful/queries.ts';
import { insertReview } from '../../reviews/queries.ts';
import { insertSchool } from '../../schools/queries.ts';
import { hashPrintedPassword, isPrintedPassword, NO_PASSWORD } from '../../security/passwords.ts';
import { performStories, postBurst, type ReviewStory, type SampleBurst, type StoryStep } from './stories.ts';

/** The authors joined before any of their reviews: otherwise all of these would count as reviews by new accounts. */
const AUTHORS_JOINED_DAYS_AGO = 5 * 365;
/** How often a process looks whether another one has loaded the data. */
const RETRY_MS = 500;
const ADMIN = { username: 'sample-admin', email: 'admin@example.com' };

interface SampleReview {
  author: string;
  anonymous?: boolean;
  rating: number;
  review: string;
  relation?: Background['relation'];
  /** Years before the current one, so that the sample data does not grow old. */
  sinceYearsAgo?: number;
  untilYearsAgo?: number;
  /** How many other authors have marked the review as helpful. */
  helpful?: number;
  daysAgo: number;
  story?: StoryStep[];
}

/** The number of authors who mark a review as helpful. Its own author does not. */
interface HelpfulMarkCount {
  review: ReviewKey;
  authorId: number;
  amount: number;
}

interface SampleSchool {
  schoolName: string;
  description: string;
  location: string;
  aliases?: string[];
  /** By the category's kind. */
  entries: Record<string, { name: string; description: string; reviews: SampleReview[]; burst?: SampleBurst }[]>;
  /** A proposal. Its description says that it is a sample. */
  proposed?: { author: string; category: string; name: string; description: string; daysAgo: number };
}

/** The data that is collected while schools are inserted. */
interface LoadState {
  readonly authors: Map<string, number>;
  readonly marks: HelpfulMarkCount[];
  readonly stories: ReviewStory[];
  readonly now: number;
}

function readSchools(): SampleSchool[] {
  const folder = import.meta.dirname;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Finds or creates the account of an author. It has no password, so nobody can log in to it. */
async function findOrCreateAuthor(db: Connection, authors: Map<string, number>, username: string, joinedAt: number) {
  const known = authors.get(username);
  if (known !== undefined) return known;
  const email = `${username.toLowerCase()}@sample.invalid`;
  const id = await insertUser(db, { username, email, passwordHash: NO_PASSWORD, verifiedAt: joinedAt }, joinedAt);
  if (id === undefined) throw new Error(`The sample author ${username} is there twice.`);
  authors.set(username, id);
  return id;
}

/** Makes the function that finds or creates an author who joined long ago. */
const createLongAgoAuthors = (db: Connection, authors: Map<string, number>, now: number) => (username: string) =>
  findOrCreateAuthor(db, authors, username, now - AUTHORS_JOINED_DAYS_AGO * DAY);

async function insertSampleSchool(db: Connection, sample: SampleSchool, { authors, marks, stories, now }: LoadState) {
  const { entries, proposed, ...fields } = sample;
  const joinAuthor = createLongAgoAuthors(db, authors, now);
  const school = await insertSchool(db, fields);
  for (const category of CATEGORIES) {
    for (const { reviews, burst, ...values } of entries[category.kind] ?? []) {
      const entry = await insertEntry(db, category, school.id, values);
      for (const sampled of reviews) {
        const userId = await joinAuthor(sampled.author);
        const { rating, review, anonymous, daysAgo, helpful, story } = sampled;
        const posted = { rating, review, username: anonymous ? null : sampled.author, ...backgroundOf(sampled, now) };
        const inserted = await insertReview(db, entry, userId, posted, Math.round(now - daysAgo * DAY));
        if (inserted && helpful)
          marks.push({ review: { id: inserted.id, school_id: school.id }, authorId: userId, amount: helpful });
        if (inserted && story)
          stories.push({ reviewId: inserted.id, userId, rating, username: posted.username, story });
      }
      if (burst) {
        const joinRecently = (username: string, joinedAt: number) =>
          findOrCreateAuthor(db, authors, username, joinedAt);
        await postBurst(db, entry, burst, joinRecently, now);
      }
    }
  }
  if (proposed) {
    const { author, category, name, description, daysAgo } = proposed;
    const fields = { kind: 'entry', schoolId: school.id, category, name, description } as const;
    await insertProposal(db, await joinAuthor(author), fields, Math.round(now - daysAgo * DAY));
  }
  return school.id;
}

function backgroundOf({ relation, sinceYearsAgo, untilYearsAgo }: SampleReview, now: number): Background {
  const thisYear = new Date(now).getUTCFullYear();
  return {
    ...(relation && { relation }),
    ...(sinceYearsAgo !== undefined && { since: thisYear - sinceYearsAgo }),
    ...(untilYearsAgo !== undefined && { until: thisYear - untilYearsAgo }),
  };
}

/** Lets `amount` other authors mark a review, in the order in which they first wrote. */
async function insertMarks(
  db: Connection,
  authors: Map<string, number>,
  { review, authorId, amount }: HelpfulMarkCount,
) {
  const others = [...authors.values()].filter((id) => id !== authorId).slice(0, amount);
  for (const other of others) {
    if (await insertMark(db, review, other)) await addToHelpful(db, review, 1);
  }
}

/**
 * Fills an empty database with invented schools and an admin, so that a first visit shows the product in use.
 * @returns the admin's credentials; undefined when the database was not empty
 */
export async function loadSampleData(database: Database): Promise<{ email: string; password: string } | undefined> {
  const password = randomBytes(16).toString('base64url');
  const passwordHash = await hashPrintedPassword(password);
  const load = () =>
    database.write(async (db, commit) => {
      if (!(await tryLockName(db, 'sample data'))) return 'is being loaded' as const;
      if (await isInUse(db)) return undefined;
      const now = Date.now();
      const adminId = await insertUser(db, { ...ADMIN, passwordHash, isAdmin: true, verifiedAt: now }, now);
      const state: LoadState = { authors: new Map(), marks: [], stories: [], now };
      for (const sample of readSchools())
        commit.invalidate(...changes.schoolChanged(await insertSampleSchool(db, sample, state)));
      for (const marks of state.marks) await insertMarks(db, state.authors, marks);
      const joinAuthor = createLongAgoAuthors(db, state.authors, now);
      await performStories(db, state.stories, { adminId: adminId as number, now, joinAuthor });
      commit.invalidate(...changes.schoolsAdded);
      return { email: ADMIN.email, password };
    });
  // Of two processes that start together on an empty database, the second waits and finds what the first has loaded. It
  // does not wait within a statement, which would be canceled while a slow server is still loading.
  for (;;) {
    const loaded = await load();
    if (loaded !== 'is being loaded') return loaded;
    await setTimeout(RETRY_MS);
  }
}

/**
 * A warning about the sample admin, which an operator must see before the site is public; undefined if it is not
 * needed.
 */
export async function findSampleAdminWarning(database: Database): Promise<string | undefined> {
  const admin = await findUserByEmail(database.read, ADMIN.email);
  if (!admin || admin.is_admin === 0 || !isPrintedPassword(admin.password_hash)) return undefined;
  return `The sample admin ${ADMIN.email} still has the password that was printed at the first start: change it at /profile, or delete the account.`;
}
