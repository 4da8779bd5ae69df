import type { Page } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import { idsOf } from '../database/found-rows.ts';
import { onSameSchool } from '../database/review-tables.ts';
import { findSuccessor } from '../schools/queries.ts';
import { countsOfSchools } from '../visibility/count-queries.ts';
import { withSchoolOf } from '../visibility/location-queries.ts';
import { countEntries, countSchools, currentEntries, currentSchools } from '../visibility/queries.ts';

/** The ids above `after` up to `to`. */
export interface IdRange {
  after: number;
  to: number;
}

/** The ids of the schools in a range, ascending. */
export async function listSchoolIdsIn(db: Connection, { after, to }: IdRange): Promise<number[]> {
  const rows = await currentSchools(db)
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
  return idsOf(rows);
}

/** The entries in a range of ids, ascending, with what their addresses are made from. */
export function listEntriesIn(db: Connection, { after, to }: IdRange) {
  return currentEntries(db)
    .select(['id', 'kind', 'school_id as schoolId'])
    .where('id', '>', after)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
}

/** The id that the school or entry of a page or feed was merged into. Without a category, all are searched. */
export async function findSuccessorOf(
  db: Connection,
  { about, category }: Pick<Page, 'about' | 'category'>,
  id: number,
): Promise<number | undefined> {
  if (about === 'school') return findSuccessor(db, id);
  return about === 'entry' ? findEntrySuccessor(db, id, category?.kind) : undefined;
}

async function findEntrySuccessor(db: Connection, id: number, kind?: string): Promise<number | undefined> {
  const row = await withSchoolOf(db, 'entries', id, (schoolId) =>
    currentEntries(db)
      .innerJoin('entries as merged', onSameSchool('merged.merged_into', 'entries.id'))
      .select('entries.id')
      .where('merged.id', '=', id)
      .where('merged.school_id', '=', schoolId)
      .$if(kind !== undefined, (query) => query.where('merged.kind', '=', kind as string))
      .executeTakeFirst(),
  );
  return row?.id;
}

/** An entry of whatever category, with its school; undefined when there is none. */
export function findEntryPlace(db: Connection, id: number) {
  return withSchoolOf(db, 'entries', id, (schoolId) =>
    currentEntries(db)
      .innerJoin('schools', 'schools.id', 'entries.school_id')
      .select(['entries.id', 'entries.kind', 'entries.name'])
      .select(['schools.id as schoolId', 'schools.school_name as schoolName'])
      .where('entries.id', '=', id)
      .where('entries.school_id', '=', schoolId)
      .executeTakeFirst(),
  );
}

/** The entries of a school that have reviews. */
export function listReviewedEntries(db: Connection, schoolId: number) {
  return countsOfSchools(db, [schoolId])
    .innerJoin('entries', onSameSchool('entries.id', 'review_counts.entry_id'))
    .select(['entries.id', 'entries.kind', 'entries.name'])
    .where('review_count', '>', 0)
    .orderBy('entries.id')
    .execute();
}

/** The highest id of a table, deleted rows included; 0 when it is empty. */
export async function findLastId(db: Connection, table: 'schools' | 'entries'): Promise<number> {
  const last = await db
    .selectFrom(table)
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst();
  return last?.id ?? 0;
}

/** The most addresses that a sitemap can have: one for each school, three for each entry (its own and two lists). */
export async function countAddresses(db: Connection): Promise<number> {
  return (await countSchools(db)) + 3 * (await countEntries(db));
}
