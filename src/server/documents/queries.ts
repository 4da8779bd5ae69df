import type { Page } from '../../contract/pages.ts';
import type { Connection } from '../database/database.ts';
import { currentEntries } from '../entries/queries.ts';
import { findSuccessor } from '../schools/queries.ts';

/** The ids above `after` up to `to`. */
export interface IdRange {
  after: number;
  to: number;
}

/** The ids of the schools in a range, ascending. */
export async function listSchoolIds(db: Connection, { after, to }: IdRange): Promise<number[]> {
  const rows = await db
    .selectFrom('schools')
    .select('id')
    .where('id', '>', after)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

/** The entries in a range, ascending, with the data of their addresses. */
export function listEntries(db: Connection, { after, to }: IdRange) {
  return currentEntries(db)
    .select(['id', 'kind', 'school_id as schoolId'])
    .where('id', '>', after)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
}

/** After a merge, the successor of the school or entry of a page; undefined if it was not merged. */
export async function findPageSuccessor(
  db: Connection,
  { about, category }: Page,
  id: number,
): Promise<number | undefined> {
  if (about === 'school') return findSuccessor(db, id);
  return about === 'entry' && category ? findEntrySuccessor(db, id, category.kind) : undefined;
}

async function findEntrySuccessor(db: Connection, id: number, kind: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('entries')
    .select('merged_into')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row?.merged_into ?? undefined;
}

/** The highest id of a table; 0 when it is empty. */
export async function findLastId(db: Connection, table: 'schools' | 'entries'): Promise<number> {
  const last = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return last?.id ?? 0;
}

export async function countAddresses(db: Connection): Promise<number> {
  const [schools, entries] = await Promise.all([
    db
      .selectFrom('schools')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('entries')
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return schools.count + entries.count;
}
