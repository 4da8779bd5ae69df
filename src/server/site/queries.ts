import type { Connection } from '../database/database.ts';

/** The ids of schools after one, in order: a part of the sitemap. */
export async function listSchoolIdsAfter(db: Connection, afterId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('schools')
    .select('id')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Entries after one, in order, with what their addresses are made of. */
export function listEntriesAfter(db: Connection, afterId: number, limit: number) {
  return db
    .selectFrom('entries')
    .select(['id', 'kind', 'school_id as schoolId'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
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
