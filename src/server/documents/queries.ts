import type { Connection } from '../database/database.ts';

/** A range of ids: after one, up to another. */
export interface IdRange {
  after: number;
  to: number;
}

/** Schools of a range, in order. */
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

/** Entries of a range, in order, with what their addresses are made of. */
export function listEntries(db: Connection, { after, to }: IdRange) {
  return db
    .selectFrom('entries')
    .select(['id', 'kind', 'school_id as schoolId'])
    .where('id', '>', after)
    .where('id', '<=', to)
    .orderBy('id')
    .execute();
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
