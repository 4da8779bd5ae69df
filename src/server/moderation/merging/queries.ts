import { sql } from 'kysely';
import type { MergePreview } from '../../../contract/merging.ts';
import type { Connection } from '../../database/database.ts';
import { idsOf } from '../../database/found-rows.ts';
import { locking } from '../../database/lock-row.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { moveProposals } from '../../proposals/proposed-queries.ts';
import { type StoredSchool, storeAliases } from '../../schools/queries.ts';
import { allReviews, currentEntries } from '../../visibility/queries.ts';
import { joinEntries, pairNamesakes } from './joining-queries.ts';
import { moveEntries, type SchoolPair } from './moving-queries.ts';

// Merging works on sets of rows in the database: thousands of reviews move without being read by this process, which
// only pairs the names of entries. First the entries move with all that belongs to them; then those with a namesake are
// joined with it, within one school.

/** The effects of a merge. Both schools must exist. */
export async function findPreview(db: Connection, { from, into }: SchoolPair): Promise<MergePreview> {
  const moving = await listNamesakes(db, from);
  const joining = pairNamesakes(moving, await listNamesakes(db, into)).length;
  const reviews = moving.reduce((sum, { review_count }) => sum + (review_count ?? 0), 0);
  return { moving: moving.length - joining, joining, reviews };
}

/** The entries of a school that may be joined with others; of one name, the oldest first. */
const listNamesakes = (db: Connection, schoolId: number) =>
  currentEntries(db)
    .leftJoin('review_counts', (join) =>
      join
        .onRef('review_counts.entry_id', '=', 'entries.id')
        .onRef('review_counts.school_id', '=', 'entries.school_id'),
    )
    .select(['entries.id', 'entries.kind', 'name', 'review_count'])
    .where('entries.school_id', '=', schoolId)
    .orderBy('entries.kind')
    .orderBy('name_key')
    .orderBy('entries.id')
    .execute();

/** Locks two schools until the transaction ends. */
export async function lockSchools(db: Connection, { from, into }: SchoolPair): Promise<void> {
  await locking(db, db.selectFrom('schools').select('id').where('id', 'in', [from, into])).execute();
}

/**
 * Merges a school into another one: entries, reviews, counts, saved schools and addresses. Both must exist and be
 * locked.
 * @returns the entries whose responses change
 */
export async function mergeSchools(db: Connection, schools: SchoolPair, now: Milliseconds): Promise<number[]> {
  const { from, into } = schools;
  const entryIds = await lockEntries(db, from);
  const others = await lockEntries(db, into);
  if (entryIds.length > 0) {
    const pairs = pairNamesakes(await listNamesakes(db, from), await listNamesakes(db, into));
    await lockReviews(db, from, entryIds);
    await moveEntries(db, schools);
    if (pairs.length > 0) {
      await lockReviews(db, into, [...new Set(pairs.flatMap(({ id, target }) => [id, target]))]);
      await joinEntries(db, { schoolId: into, pairs }, now);
    }
  }
  await moveSaved(db, schools);
  await moveProposals(db, from, into);
  return [...entryIds, ...others];
}

/** Posting a review locks its entry in shared mode: from here on nobody can post one. */
async function lockEntries(db: Connection, schoolId: number): Promise<number[]> {
  const entries = db.selectFrom('entries').select('id').where('school_id', '=', schoolId);
  return idsOf(await locking(db, entries).execute());
}

/** Prevents reviews from being edited, hidden or withdrawn while they move and the newest ones are determined. */
async function lockReviews(db: Connection, schoolId: number, entryIds: readonly number[]): Promise<void> {
  const reviews = locking(
    db,
    allReviews(db)
      .select('reviews.id')
      .where('reviews.entry_id', 'in', entryIds)
      .where('reviews.school_id', '=', schoolId),
  );
  await db
    .selectFrom(reviews.as('locked'))
    .select((select) => select.fn.countAll().as('amount'))
    .execute();
}

/** A user who has saved both schools keeps the row of the one that stays. */
async function moveSaved(db: Connection, { from, into }: SchoolPair): Promise<void> {
  await sql`
    delete from saved_schools where school_id = ${from}
      and exists (select 1 from saved_schools as other
        where other.user_id = saved_schools.user_id and other.school_id = ${into})`.execute(db);
  await db.updateTable('saved_schools').set({ school_id: into }).where('school_id', '=', from).execute();
}

/** Replaces a school, to which nothing refers any more, by a row that names its successor. */
export async function retireSchool(db: Connection, { from, into }: SchoolPair): Promise<void> {
  await sql`
    insert into merged_schools (id, school_id, prefix_key, location, import_key)
    select id, cast(${into} as bigint), prefix_key, location, import_key from schools where id = ${from}`.execute(db);
  await db.updateTable('merged_schools').set({ school_id: into }).where('school_id', '=', from).execute();
  await db.deleteFrom('schools').where('id', '=', from).execute();
}

/** The aliases of a school after a merge: its own, and the name and aliases of the other one. */
export async function addAliases(db: Connection, school: StoredSchool, duplicate: StoredSchool): Promise<StoredSchool> {
  const names = new Set([...school.aliases, duplicate.schoolName, ...duplicate.aliases]);
  names.delete(school.schoolName);
  const aliases = [...names];
  await storeAliases(db, school.id, aliases);
  return { ...school, aliases };
}
