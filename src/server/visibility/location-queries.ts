import { type SelectQueryBuilder, sql } from 'kysely';
import type { Connection } from '../database/database.ts';
import { groupingLookUps } from '../database/groups.ts';
import { lockName } from '../database/lock-row.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { EntryKey } from '../database/review-tables.ts';
import type { Tables } from '../database/tables.ts';

// Every statement about an entry or a review also names its school, by which a distributed database finds the node of
// the row. Addresses have only the id: the school is looked up here, and remembered.

/** The maximum number of remembered schools: about 10 MB. */
const REMEMBERED_MAX = 100_000;

type LocatedTable = 'entries' | 'reviews';

/** The schools of rows, by id. In tests a process has several databases: `withSchoolOf` looks a wrong school up again. */
const rememberedSchools: Record<LocatedTable, Map<number, number>> = { entries: new Map(), reviews: new Map() };

/** Remembers the school of a row for the next statement about it. */
export function rememberSchool(table: LocatedTable, id: number, schoolId: number): void {
  const schools = rememberedSchools[table];
  // All are forgotten at once, because tracking which ones are used would cost more.
  if (schools.size >= REMEMBERED_MAX && !schools.has(id)) schools.clear();
  schools.set(id, schoolId);
}

/** The school of an entry or review. After a merge the remembered school is wrong: the row is then not found there. */
async function findSchoolOf(
  db: Connection,
  table: LocatedTable,
  id: number,
  find: () => Promise<number | undefined> = () => lookUp(db, table, id),
): Promise<number | undefined> {
  const schoolId = rememberedSchools[table].get(id) ?? (await find());
  if (schoolId !== undefined) rememberSchool(table, id, schoolId);
  return schoolId;
}

/** The school of an entry on PostgreSQL. The lookups of concurrent requests share one statement. */
export function findSchoolBatched(db: Connection, entryId: number): Promise<number | undefined> {
  return findSchoolOf(db, 'entries', entryId, async () => (await lookUpBatched(db, entryId))?.school_id);
}

/**
 * Runs a query of the entry or review with an id, given its school. The remembered school is wrong after a merge in
 * another process, and a looked-up one after a merge that the query has waited for: the query then finds nothing, and
 * runs again with the school that is looked up.
 * @param query returns undefined for a row of another school
 * @returns undefined when there is no such row
 */
export async function withSchoolOf<Found>(
  db: Connection,
  table: LocatedTable,
  id: number,
  query: (schoolId: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let schoolId = await findSchoolOf(db, table, id);
  while (schoolId !== undefined) {
    const found = await query(schoolId);
    if (found !== undefined) return found;
    const current = await lookUp(db, table, id);
    if (current === undefined || current === schoolId) return undefined;
    rememberSchool(table, id, current);
    schoolId = current;
  }
  return undefined;
}

async function lookUp(db: Connection, table: LocatedTable, id: number): Promise<number | undefined> {
  const [row] = await LOOK_UP_QUERIES[table](db, { id });
  return row?.school_id;
}

const querySchools = prepareQuery((db, param: Param<{ ids: readonly number[] }>) =>
  db
    .selectFrom('entry_schools')
    .select(['entry_id', 'school_id'])
    .where(sql<boolean>`entry_id = any(${param('ids')})`),
);

const lookUpBatched = groupingLookUps(querySchools, ({ entry_id }) => entry_id);

type LookUpQuery = (db: Connection, values: { id: number }) => Promise<{ school_id: number }[]>;

const LOOK_UP_QUERIES: Record<LocatedTable, LookUpQuery> = {
  entries: prepareQuery((db, param: Param<{ id: number }>) =>
    db.selectFrom('entry_schools').select('school_id').where('entry_id', '=', param('id')),
  ),
  // Reviews of all schools are searched: a directory, such as that of entries, would cost every post one more row.
  reviews: prepareQuery((db, param: Param<{ id: number }>) =>
    db.selectFrom('reviews').select('school_id').where('id', '=', param('id')),
  ),
};

/**
 * Adds new entries to the directory. On PostgreSQL a trigger has added them already, for processes of the previous
 * version.
 */
export async function addToDirectory(db: Connection, entries: readonly EntryKey[]): Promise<void> {
  const rows = entries.map(({ id, schoolId }) => ({ entry_id: id, school_id: schoolId }));
  await db
    .insertInto('entry_schools')
    .values(rows)
    .onConflict((conflict) => conflict.column('entry_id').doNothing())
    .execute();
  for (const { id, schoolId } of entries) rememberSchool('entries', id, schoolId);
}

type ReviewSelection = SelectQueryBuilder<Tables, 'reviews', object>;

/**
 * Makes transactions that change many reviews wait for each other: they lock reviews, their authors and the rows about
 * them in different orders, and would deadlock. Called before any of these rows is locked.
 */
export const lockManyReviews = (db: Connection) => lockName(db, 'many reviews');

/**
 * Locks reviews of any schools one school after the other: a distributed database locks rows of one school at a time.
 * If a merge moves some before they are locked, it starts again with all of them.
 * @param lock locks all reviews that it is given and returns a row for each
 */
export async function lockBySchool<Row>(
  reviews: ReviewSelection,
  lock: (ofSchool: ReviewSelection) => Promise<Row[]>,
): Promise<Row[]> {
  const schools = await reviews
    .select(({ fn }) => ['school_id', fn.countAll<number>().as('amount')])
    .groupBy('school_id')
    .orderBy('school_id')
    .execute();
  const rows: Row[] = [];
  for (const { school_id, amount } of schools) {
    const locked = await lock(reviews.where('school_id', '=', school_id));
    if (locked.length !== amount) return lockBySchool(reviews, lock);
    rows.push(...locked);
  }
  return rows;
}
