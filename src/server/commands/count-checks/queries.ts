import { type ExpressionBuilder, sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import { TABLES_OF_REVIEWS } from '../../database/review-tables.ts';
import type { Tables } from '../../database/tables.ts';
import { aliasKeysOf } from '../../schools/queries.ts';
import { HALF_STAR_COLUMNS } from '../../visibility/count-queries.ts';
import { allReviews } from '../../visibility/queries.ts';

/** The counts of an entry and those found in its reviews, which must be equal. */
export interface CountComparison {
  entryId: number;
  /**
   * The number of reviews with each rating, from half a star on. Null when the entry has no counts for its own school
   * and category.
   */
  counted: number[] | null;
  found: number[];
  misplaced: number;
  /** Whether it was merged into another entry: then none of its reviews is counted. */
  isMerged: boolean;
}

/** Compares the entries with ids above `above` up to `upTo`, in one statement so that the data is consistent. */
export async function compareCounts(db: Connection, above: number, upTo: number): Promise<CountComparison[]> {
  const rows = await db
    .selectFrom('entries')
    .leftJoin('review_counts', (join) =>
      join
        .onRef('review_counts.entry_id', '=', 'entries.id')
        .onRef('review_counts.school_id', '=', 'entries.school_id')
        .onRef('review_counts.kind', '=', 'entries.kind')
        // Redundant, but without it PostgreSQL reads the whole table.
        .on('review_counts.entry_id', '>', above)
        .on('review_counts.entry_id', '<=', upTo),
    )
    .leftJoin('reviews', (join) =>
      join
        .onRef('reviews.entry_id', '=', 'entries.id')
        .on('reviews.entry_id', '>', above)
        .on('reviews.entry_id', '<=', upTo)
        .on('reviews.hidden_at', 'is', null)
        .on('reviews.withdrawn_at', 'is', null),
    )
    .where('entries.id', '>', above)
    .where('entries.id', '<=', upTo)
    .select((select) => [
      'entries.id as entryId',
      'entries.merged_into as mergedInto',
      ...HALF_STAR_COLUMNS.map((column) => select.fn.max(`review_counts.${column}`).as(column)),
      ...HALF_STAR_COLUMNS.map((column, index) =>
        select.fn
          .count<number>('reviews.id')
          .filterWhere('reviews.half_stars', '=', index + 1)
          .as(`found_${column}` as const),
      ),
      select.fn
        .count<number>('reviews.id')
        .filterWhere('reviews.school_id', '!=', select.ref('entries.school_id'))
        .as('misplaced'),
    ])
    .groupBy(['entries.id', 'entries.school_id', 'entries.merged_into'])
    .orderBy('entries.id')
    .execute();
  return rows.map((row) => ({
    entryId: row.entryId,
    counted: row.half_stars_1 === null ? null : HALF_STAR_COLUMNS.map((column) => row[column] ?? 0),
    found: HALF_STAR_COLUMNS.map((column) => row[`found_${column}`]),
    misplaced: row.misplaced,
    isMerged: row.mergedInto !== null,
  }));
}

/** For one entry and relation, the number of reviews with each rating: as counted, and as found. */
interface RelationTally {
  entryId: number;
  relation: string;
  /** The numbers of all ratings from half a star on, separated by commas. */
  counted: string;
  found: string;
}

/** Relations whose counts differ from the reviews, for the entries with ids above `above` up to `upTo`. */
export async function findWrongRelations(db: Connection, above: number, upTo: number): Promise<RelationTally[]> {
  const within = sql`entry_id > ${above} and entry_id <= ${upTo}`;
  const list = (value: (column: string, halfStars: number) => ReturnType<typeof sql>) =>
    sql.join(
      HALF_STAR_COLUMNS.map((column, index) => value(column, index + 1)),
      sql` || ',' || `,
    );
  const { rows } = await sql<RelationTally>`
    select entry_id as "entryId", relation, max(counted) as counted, max(found) as found from (
      select entry_id, relation, ${list((column) => sql`cast(${sql.ref(column)} as text)`)} as counted, '' as found
        from relation_counts where ${within} and ${sql.join(
          HALF_STAR_COLUMNS.map((column) => sql.ref(column)),
          sql` + `,
        )} <> 0
      union all
      select entry_id, relation, '' as counted,
        ${list((_, halfStars) => sql`cast(count(*) filter (where half_stars = ${halfStars}) as text)`)} as found
        from reviews where ${within} and relation is not null and hidden_at is null and withdrawn_at is null
        group by entry_id, relation
    ) as tallies
    group by entry_id, relation having max(counted) <> max(found) order by entry_id, relation`.execute(db);
  return rows;
}

/** Reviews with a wrong number of helpful marks, for the entries with ids above `above` up to `upTo`. */
export function findWrongMarks(db: Connection, above: number, upTo: number) {
  const countMarks = ({ selectFrom }: ExpressionBuilder<Tables, 'reviews'>) =>
    selectFrom('helpful_marks')
      .select((marks) => marks.fn.countAll<number>().as('amount'))
      .whereRef('helpful_marks.review_id', '=', 'reviews.id')
      .whereRef('helpful_marks.school_id', '=', 'reviews.school_id');
  return allReviews(db)
    .select((review) => ['id', 'helpful', countMarks(review).as('marks')])
    .where('entry_id', '>', above)
    .where('entry_id', '<=', upTo)
    .where((review) => review('helpful', '!=', countMarks(review)))
    .execute();
}

/** Reviews with rows that name another school than theirs, for the entries with ids above `above` up to `upTo`. */
export async function listMisplacedRows(db: Connection, above: number, upTo: number) {
  const ofTables = TABLES_OF_REVIEWS.map(
    (table) => sql`
      select cast(${table} as text) as "table", reviews.id as id from reviews
      join ${sql.table(table)} as item on item.review_id = reviews.id
      where reviews.entry_id > ${above} and reviews.entry_id <= ${upTo}
        and item.school_id is distinct from reviews.school_id`,
  );
  const { rows } = await sql<{ table: string; id: number }>`${sql.join(ofTables, sql` union all `)}`.execute(db);
  return rows;
}

/**
 * Entries that the directory (`entry_schools`) has at another school or not at all, for the ids above `above` up to
 * `upTo`. The join repeats the range, because PostgreSQL would otherwise read the whole directory.
 */
export function listUnlistedEntries(db: Connection, above: number, upTo: number) {
  return db
    .selectFrom('entries')
    .leftJoin('entry_schools', (join) =>
      join
        .onRef('entry_schools.entry_id', '=', 'entries.id')
        .on('entry_schools.entry_id', '>', above)
        .on('entry_schools.entry_id', '<=', upTo),
    )
    .select('entries.id')
    .where('entries.id', '>', above)
    .where('entries.id', '<=', upTo)
    .where(sql<boolean>`entry_schools.school_id is distinct from entries.school_id`)
    .execute();
}

/** Schools whose stored keys are not those of their aliases, for the schools with ids above `above` up to `upTo`. */
export async function findWrongAliasKeys(db: Connection, above: number, upTo: number) {
  // One statement, so that the data is consistent while others write.
  const rows = await db
    .selectFrom('schools')
    .leftJoin('alias_keys', (join) =>
      join
        .onRef('alias_keys.school_id', '=', 'schools.id')
        // Redundant, but without it PostgreSQL reads the whole table.
        .on('alias_keys.school_id', '>', above)
        .on('alias_keys.school_id', '<=', upTo),
    )
    .select(['schools.id', 'schools.aliases', 'alias_keys.match_key as key'])
    .where('schools.id', '>', above)
    .where('schools.id', '<=', upTo)
    .orderBy('schools.id')
    .execute();
  const schools = Map.groupBy(rows, ({ id }) => id);
  return [...schools].flatMap(([id, found]) => {
    const stored = found.flatMap(({ key }) => key ?? []).sort();
    const wanted = aliasKeysOf(JSON.parse(found[0]?.aliases ?? '[]')).sort();
    return stored.join('\n') === wanted.join('\n') ? [] : [{ id, stored, wanted }];
  });
}
