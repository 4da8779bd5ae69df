import type { Connection } from '../database/database.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import { averageOf } from '../reviews/queries.ts';

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

const querySchoolRating = prepareQuery((db, given: Given<{ schoolId: number }>) =>
  db
    .selectFrom('entries')
    .select((select) => [
      select.fn.sum<number | null>('rating_sum').as('ratingSum'),
      select.fn.sum<number | null>('rating_count').as('ratingCount'),
    ])
    .where('school_id', '=', given('schoolId')),
);

/** The mean of all reviews of a school, out of the counters of its entries. */
export async function findSchoolRating(db: Connection, schoolId: number): Promise<{ average: number; count: number }> {
  const [row] = await querySchoolRating(db, { schoolId });
  const count = row?.ratingCount ?? 0;
  return { average: averageOf(row?.ratingSum ?? 0, count), count };
}
