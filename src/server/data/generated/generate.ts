import { CATEGORIES } from '../../../contract/categories.ts';
import { DAY } from '../../../contract/durations.ts';
import type { Background } from '../../../contract/reviews.ts';
import { insertUsers } from '../../accounts/queries.ts';
import { writeInBatches } from '../../database/batches.ts';
import type { Database } from '../../database/database.ts';
import { countRows } from '../../database/integrity.ts';
import { insertEntries } from '../../entries/queries.ts';
import { changes, tags } from '../../http/cache/tags.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { type BulkReview, insertReviews } from '../../reviews/queries.ts';
import { insertSchool } from '../../schools/queries.ts';
import { NO_PASSWORD } from '../../security/passwords.ts';
import { createRandom, type Random } from './random.ts';
import { shareOfTerm, spreadReviews } from './spread.ts';
import { inventEntry, inventReview, inventSchool, inventUsername } from './texts.ts';

/** How many rows one statement writes. */
const BATCH_SIZE = 200;

/** The last review is written before this time, so that the same numbers give the same data on any day. */
const END = Date.UTC(2026, 0, 1);
/**
 * Reviews are written term by term, and within a term entry by entry: the reviews of an entry are spread over the
 * table as on a site that grows, but each index is traversed only a few times. In random order, millions of rows take
 * hours.
 */
const TERMS = 12;
const TERM = 120 * DAY;
const termStart = (term: number) => END - (TERMS - term) * TERM;

/** The mean number of reviews of one user. It is lower if an entry with many reviews needs more users. */
const REVIEWS_PER_USER = 20;
const ANONYMOUS_ONE_IN = 6;

/** The four constants below are in half-stars. */
const MEAN_RATING = 7;
const SCHOOL_DEVIATION = 0.7;
const ENTRY_DEVIATION = 0.9;
const REVIEW_DEVIATION = 1.8;

interface Amounts {
  schools: number;
  /** The number for each school and category. */
  entries: number;
  /** The total number. */
  reviews: number;
  seed: number;
}

type OnProgress = (what: string, done: number, total: number) => void;

/** Adds up how many rows the batches have written. */
function reporting(what: string, total: number, onProgress: OnProgress): (written: readonly number[]) => void {
  let done = 0;
  return (written) => {
    for (const amount of written) done += amount;
    onProgress(what, done, total);
  };
}

/** The data of the entries that is needed to write reviews. In flat arrays, because there can be a million entries. */
interface EntryColumns {
  ids: Float64Array;
  schoolIds: Float64Array;
  meanRatings: Float32Array;
  reviewCounts: Uint32Array;
}

function* inventSchools({ schools, entries }: Amounts, random: Random) {
  for (let index = 0; index < schools; index += 1) {
    const school = inventSchool(index, random);
    const invented = CATEGORIES.flatMap((category) =>
      Array.from({ length: entries }, (_, at) => ({ category, ...inventEntry(at, category.entryLabel, random) })),
    );
    yield { index, school, entries: invented };
  }
}

async function fillSchools(database: Database, amounts: Amounts, random: Random, onProgress: OnProgress) {
  const perSchool = CATEGORIES.length * amounts.entries;
  const ids = new Float64Array(amounts.schools * perSchool);
  const schoolIds = new Float64Array(ids.length);
  const schools = inventSchools(amounts, random);
  await writeInBatches(
    database,
    schools,
    async (db, { index, school, entries }, commit) => {
      const { id } = await insertSchool(db, school);
      schoolIds.fill(id, index * perSchool, (index + 1) * perSchool);
      for (let at = 0; at < entries.length; at += BATCH_SIZE) {
        const batch = entries.slice(at, at + BATCH_SIZE).map((entry) => ({ ...entry, schoolId: id }));
        ids.set(await insertEntries(db, batch), index * perSchool + at);
      }
      commit.invalidate(...changes.schoolsAdded);
      return 1;
    },
    reporting('schools', amounts.schools, onProgress),
  );
  return { ids, schoolIds };
}

function meansOf({ schools }: Amounts, entries: number, random: Random): Float32Array {
  const means = new Float32Array(entries);
  const perSchool = entries / schools;
  let schoolMean = MEAN_RATING;
  for (let entry = 0; entry < entries; entry += 1) {
    if (entry % perSchool === 0) schoolMean = random.around(MEAN_RATING, SCHOOL_DEVIATION);
    means[entry] = random.around(schoolMean, ENTRY_DEVIATION);
  }
  return means;
}

/** The relations of authors: most give none, and most of the others are students. */
const RELATION_CHOICES = [
  undefined,
  undefined,
  'student',
  'student',
  'student',
  'alumnus',
  'parent',
  'educator',
] as const;

function inventBackground(term: number, random: Random): Background {
  const relation = random.pick(RELATION_CHOICES);
  if (relation === undefined || random.below(2) === 0) return { ...(relation && { relation }) };
  const since = new Date(termStart(term)).getUTCFullYear() - random.below(5);
  return { relation, since, ...(relation === 'alumnus' && { until: since }) };
}

/**
 * How many users write in each term. Each user writes in one term only, and the users take turns, so that no user
 * reviews an entry twice. For that, an entry must not have more reviews in a term than there are users in it.
 */
function usersPerTerm(reviews: number, reviewCounts: Uint32Array): number {
  const most = reviewCounts.reduce((max, count) => Math.max(max, count), 0);
  return Math.max(Math.ceil(most / TERMS) + 1, Math.ceil(reviews / TERMS / REVIEWS_PER_USER));
}

function* inventUsers(perTerm: number) {
  for (let start = 0; start < perTerm * TERMS; start += BATCH_SIZE) {
    const end = Math.min(start + BATCH_SIZE, perTerm * TERMS);
    const users = Array.from({ length: end - start }, (_, at) => {
      const username = inventUsername(start + at);
      const createdAt = termStart(Math.floor((start + at) / perTerm));
      return { username, email: `${username}@generated.invalid`, passwordHash: NO_PASSWORD, createdAt };
    });
    yield { start, users };
  }
}

async function fillUsers(database: Database, perTerm: number, onProgress: OnProgress): Promise<Float64Array> {
  const ids = new Float64Array(perTerm * TERMS);
  await writeInBatches(
    database,
    inventUsers(perTerm),
    async (db, { start, users }) => {
      ids.set(await insertUsers(db, users), start);
      return users.length;
    },
    reporting('users', ids.length, onProgress),
  );
  return ids;
}

function* inventReviews(
  entries: EntryColumns,
  userIds: Float64Array,
  random: Random,
  backgroundRandom: Random,
): Generator<BulkReview[]> {
  const usersOfTerm = userIds.length / TERMS;
  let batch: BulkReview[] = [];
  for (let term = 0; term < TERMS; term += 1) {
    let written = 0;
    for (let entry = 0; entry < entries.ids.length; entry += 1) {
      const share = shareOfTerm(entries.reviewCounts[entry] as number, entry, term, TERMS);
      for (let review = 0; review < share; review += 1) {
        const user = term * usersOfTerm + (written % usersOfTerm);
        written += 1;
        const rating = random.around(entries.meanRatings[entry] as number, REVIEW_DEVIATION);
        const halfStars = Math.min(10, Math.max(1, Math.round(rating)));
        batch.push({
          entryId: entries.ids[entry] as number,
          schoolId: entries.schoolIds[entry] as number,
          userId: userIds[user] as number,
          username: random.below(ANONYMOUS_ONE_IN) === 0 ? null : inventUsername(user),
          halfStars,
          review: inventReview(halfStars, random),
          createdAt: termStart(term) + random.below(TERM),
          ...inventBackground(term, backgroundRandom),
        });
        if (batch.length < BATCH_SIZE) continue;
        yield batch;
        batch = [];
      }
    }
  }
  if (batch.length > 0) yield batch;
}

async function fillReviews(database: Database, total: number, batches: Iterable<BulkReview[]>, onProgress: OnProgress) {
  await writeInBatches(
    database,
    batches,
    async (db, reviews, commit) => {
      await insertReviews(db, reviews);
      commit.invalidate(tags.leaderboards);
      for (const { entryId: id, schoolId } of reviews) commit.invalidate(...changes.manyReviewsAdded({ id, schoolId }));
      return reviews.length;
    },
    reporting('reviews', total, onProgress),
  );
}

/**
 * Fills a database without schools with invented data: the same numbers give the same rows. Memory stays constant for
 * any number of reviews.
 * @throws a refusal when there are schools already, or reviews without an entry
 */
export async function generateData(database: Database, amounts: Amounts, onProgress: OnProgress): Promise<void> {
  const rowCounts = await countRows(database.read);
  if (rowCounts.schools > 0) {
    throw refusals.conflict(
      'The database holds schools already, and generated data goes into an empty one: set DATA_DIR or DATABASE_URL to another.',
    );
  }
  const total = amounts.schools * amounts.entries * CATEGORIES.length;
  if (total === 0 && amounts.reviews > 0) throw refusals.badInput('Reviews need at least one school and one entry.');

  const random = createRandom(amounts.seed);
  // A second one, so that the data about authors has no influence on the texts.
  const backgroundRandom = createRandom(amounts.seed + 1);
  const { ids, schoolIds } = await fillSchools(database, amounts, random, onProgress);
  const meanRatings = meansOf(amounts, total, random);
  const reviewCounts = spreadReviews(amounts.reviews, total, random);
  if (amounts.reviews === 0) return;
  const userIds = await fillUsers(database, usersPerTerm(amounts.reviews, reviewCounts), onProgress);
  const entries = { ids, schoolIds, meanRatings, reviewCounts };
  await fillReviews(database, amounts.reviews, inventReviews(entries, userIds, random, backgroundRandom), onProgress);
}
