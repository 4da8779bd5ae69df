import { PROFILE_FIELDS, type Preferences, type Profile } from '../../contract/profiles.ts';
import type { Connection } from '../database/database.ts';
import { idsOf } from '../database/found-rows.ts';
import { readInSteps } from '../database/paging.ts';
import { type EntryKey, onSameSchool } from '../database/review-tables.ts';
import { countsOfSchools, tallyAllSchools } from '../visibility/count-queries.ts';
import {
  allReviews,
  countSchools,
  currentEntries,
  currentSchools,
  entryColumns,
  visibleReviews,
  visibleReviewsOf,
  visibleReviewsOfAll,
} from '../visibility/queries.ts';

const COLUMNS = [
  'user_id as userId',
  'location',
  'major',
  'academic_level as academicLevel',
  'campus_setting as campusSetting',
  'finance',
  'goals',
  'living',
  'personal',
] as const;

export function findProfile(db: Connection, userId: number): Promise<Profile | undefined> {
  return db.selectFrom('profiles').select(COLUMNS).where('user_id', '=', userId).executeTakeFirst();
}

/** Creates or replaces a user's profile. Absent preferences become empty. */
export function saveProfile(db: Connection, userId: number, given: Partial<Preferences>): Promise<Profile> {
  // Safe: every field is set.
  const preferences = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, given[field] ?? ''])) as Preferences;
  const { academicLevel, campusSetting, ...sameNames } = preferences;
  const values = { ...sameNames, academic_level: academicLevel, campus_setting: campusSetting };
  return db
    .insertInto('profiles')
    .values({ user_id: userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The number of schools and the highest id: one of them changes whenever a school is added, deleted or restored. */
export async function readSchoolCountAndLastId(db: Connection): Promise<{ count: number; lastId: number }> {
  const row = await db
    .selectFrom('schools')
    .select((select) => select.fn.max('id').as('lastId'))
    .executeTakeFirstOrThrow();
  return { count: await countSchools(db), lastId: row.lastId ?? 0 };
}

/** How many schools are read in one step. Only their ids and names are read. */
const BATCH_SIZE = 5_000;

/** The ids of the first schools, or of all, ascending. */
export async function listSchoolIds(db: Connection, most = Number.MAX_SAFE_INTEGER): Promise<number[]> {
  const ids: number[] = [];
  for await (const rows of readInSteps(currentSchools(db).select('id'), Math.min(BATCH_SIZE, most))) {
    for (const { id } of rows) ids.push(id);
    if (ids.length >= most) break;
  }
  return ids;
}

/** The names, descriptions and locations of schools. */
export async function readSchools(db: Connection, ids: readonly number[]) {
  const rows = await currentSchools(db)
    .select(['id', 'school_name as schoolName', 'location', 'description', 'aliases'])
    .where('id', 'in', ids)
    .execute();
  return rows.map((row) => ({ ...row, aliases: JSON.parse(row.aliases) as string[] }));
}

/**
 * The entries of schools with their tallies, by id: their reviews are indexed in this order, as far as there is room.
 */
export async function readEntries(db: Connection, schoolIds: readonly number[]) {
  const rows = await countsOfSchools(db, schoolIds)
    .innerJoin('entries', onSameSchool('entries.id', 'review_counts.entry_id'))
    .select([
      'entries.id',
      'entries.kind',
      'entries.school_id as schoolId',
      'entries.name',
      'entries.description',
      'review_counts.review_count as reviewCount',
      'review_counts.half_star_sum as halfStarSum',
    ])
    // Redundant, but without it PostgreSQL reads all entries.
    .where('entries.school_id', 'in', schoolIds)
    .execute();
  // Sorted here: if the query asks for an order, PostgreSQL reads all entries.
  return rows.sort((one, other) => one.id - other.id);
}

/** The three newest reviews of each of some entries, those of an entry newest first. */
export async function readNewestReviews(db: Connection, entries: readonly EntryKey[]) {
  const schoolIds = [...new Set(entries.map(({ schoolId }) => schoolId))];
  /** The id of that review of an entry to which exactly so many others are newer. */
  const idAfter = (newer: number) =>
    visibleReviewsOf(db, entryColumns('entries.id', 'entries.school_id'))
      .select('reviews.id')
      .orderBy('reviews.created_at', 'desc')
      .orderBy('reviews.id', 'desc')
      .limit(1)
      .offset(newer);
  const newest = currentEntries(db)
    .select(['entries.school_id', idAfter(0).as('first'), idAfter(1).as('second'), idAfter(2).as('third')])
    .where('entries.id', 'in', idsOf(entries))
    .where('entries.school_id', 'in', schoolIds);
  const rows = await allReviews(db)
    .innerJoin(newest.as('newest'), (join) =>
      join
        .onRef('reviews.school_id', '=', 'newest.school_id')
        .on((on) => on('reviews.id', 'in', [on.ref('newest.first'), on.ref('newest.second'), on.ref('newest.third')])),
    )
    .select([
      'reviews.id',
      'reviews.entry_id as entryId',
      'reviews.review',
      'reviews.half_stars as halfStars',
      'reviews.created_at as createdAt',
    ])
    .execute();
  return rows.sort((one, other) => other.createdAt - one.createdAt || other.id - one.id);
}

/** The reviews with these ids that are visible now and belong to the school. */
export function readVisibleTexts(db: Connection, schoolId: number, ids: readonly number[]) {
  return visibleReviews(db)
    .select(['reviews.id', 'reviews.review', 'reviews.half_stars as halfStars'])
    .where('reviews.id', 'in', ids)
    .where('reviews.school_id', '=', schoolId)
    .execute();
}

/** The next visible reviews with lower ids, the highest ids first. */
export function readReviewsBelow(db: Connection, id: number | undefined, limit: number) {
  return visibleReviewsOfAll(db)
    .select(['reviews.id', 'reviews.review'])
    .$if(id !== undefined, (query) => query.where('reviews.id', '<', id as number))
    .orderBy('reviews.id', 'desc')
    .limit(limit)
    .execute();
}

/** The schools with the highest means of all their reviews, among equal means those with more reviews first. */
export async function listBestRated(db: Connection, limit: number): Promise<number[]> {
  const rated = (await tallyAllSchools(db)).map((tally) => ({ ...tally, mean: tally.halfStarSum / tally.reviewCount }));
  const bestFirst = rated.sort(
    (one, other) => other.mean - one.mean || other.reviewCount - one.reviewCount || one.id - other.id,
  );
  return idsOf(bestFirst.slice(0, limit));
}

/** The names of all schools without case, to tell which a text mentions. */
export async function listFoldedNames(db: Connection): Promise<string[]> {
  const names: string[] = [];
  const schools = currentSchools(db).select(['id', 'prefix_key as name']);
  for await (const rows of readInSteps(schools, BATCH_SIZE)) for (const { name } of rows) names.push(name);
  return names;
}
