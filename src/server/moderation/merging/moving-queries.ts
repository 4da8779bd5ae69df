import { sql } from 'kysely';
import { type Connection, isPostgres } from '../../database/database.ts';
import { TABLES_OF_REVIEWS } from '../../database/review-tables.ts';

/** The school that disappears, and the school that it is merged into. */
export interface SchoolPair {
  readonly from: number;
  readonly into: number;
}

const ofEntries = (from: number) => sql`entry_id in (select id from entries where school_id = ${from})`;
const ofReviews = (from: number) => sql`review_id in (
  select id from reviews where ${ofEntries(from)} and school_id = ${from})`;

/**
 * The tables with rows of a school's entries, and which rows these are. A table comes before those that it refers to.
 */
const MOVED_TABLES: readonly (readonly [table: string, rows: (from: number) => ReturnType<typeof sql>])[] = [
  ...TABLES_OF_REVIEWS.map((table) => [table, ofReviews] as const),
  ['reviews', ofEntries],
  ['relation_counts', ofEntries],
  ['review_counts', ofEntries],
  ['entries', () => sql`true`],
];

/** Moves the locked entries of a school to another one, with everything that belongs to them. */
export async function moveEntries(db: Connection, schools: SchoolPair): Promise<void> {
  const { from, into } = schools;
  if (await hasSchoolKeys(db)) await copyRows(db, schools);
  else {
    for (const [table, rows] of MOVED_TABLES) {
      await sql`update ${sql.table(table)} set school_id = ${into} where ${rows(from)} and school_id = ${from}`.execute(
        db,
      );
    }
  }
  await sql`update entry_schools set school_id = ${into} where school_id = ${from}`.execute(db);
}

/**
 * Copies the rows to the other school, then deletes them. Keys that contain the school cannot be changed: foreign keys
 * refer to them, and a distributed database stores each row on the node of its school.
 */
async function copyRows(db: Connection, { from, into }: SchoolPair): Promise<void> {
  for (const [table, rows] of MOVED_TABLES.toReversed()) {
    // Events have no key that refers to a review, because they outlive it.
    if (table === 'review_events') continue;
    const columns = (await listWrittenColumns(db, table)).filter((column) => column !== 'school_id');
    const listed = sql.join(columns.map((column) => sql.ref(column)));
    await sql`
      insert into ${sql.table(table)} (school_id, ${listed})
      select cast(${into} as bigint), ${listed} from ${sql.table(table)}
      where ${rows(from)} and school_id = ${from}`.execute(db);
  }
  await sql`
    update review_events set school_id = ${into} where ${ofReviews(from)} and school_id = ${from}`.execute(db);
  // This also deletes the rows that refer to these entries.
  await sql`delete from entries where school_id = ${from}`.execute(db);
}

/** Whether the keys contain the school. Those of the next release will: see `tests/support/next-school-keys.ts`. */
async function hasSchoolKeys(db: Connection): Promise<boolean> {
  if (!isPostgres(db)) return false;
  const { rows } = await sql<{ second: string | null }>`
    select pg_get_indexdef(to_regclass('reviews_pkey'), 2, true) as second`.execute(db);
  return rows[0]?.second === 'school_id';
}

/** The columns of a table that can be written. */
async function listWrittenColumns(db: Connection, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and is_generated = 'NEVER'`.execute(db);
  return rows.map(({ name }) => name);
}
