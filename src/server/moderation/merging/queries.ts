import { type RawBuilder, sql } from 'kysely';
import type { MergePreview } from '../../../contract/merging.ts';
import type { Connection } from '../../database/database.ts';
import { locking } from '../../database/lock-row.ts';
import { TABLES_OF_REVIEWS } from '../../database/review-tables.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { moveProposals } from '../../proposals/proposed-queries.ts';
import { type StoredSchool, storeAliases } from '../../schools/queries.ts';
import { COLUMNS } from '../../visibility/count-queries.ts';
import { allReviews } from '../../visibility/queries.ts';

// Merging works on sets of rows in the database: thousands of reviews move without being read by this process.

/** The school that disappears, and the school that it is merged into. */
export interface Pair {
  readonly from: number;
  readonly into: number;
}

/**
 * The entries of the first school, each with its target: the entry of the other school with the same category and name,
 * or else itself.
 */
function pairedEntries({ from, into }: Pair): RawBuilder<unknown> {
  const namesake = (schoolId: number) => sql`(
    select min(namesake.id) from entries as namesake
    where namesake.school_id = ${schoolId} and namesake.kind = entries.kind
      and namesake.name_key = entries.name_key
      and namesake.merged_into is null and namesake.deleted_at is null)`;
  return sql`(
    select entries.id, coalesce(${namesake(into)}, ${namesake(from)}) as target
    from entries where entries.school_id = ${from} and entries.merged_into is null
      and entries.deleted_at is null)`;
}

/** The entries that are joined: those that disappear, and their targets. */
function joiningEntries(pair: Pair): RawBuilder<unknown> {
  const pairs = pairedEntries(pair);
  return sql`(
    select id, target from ${pairs} as pairs where id <> target
    union select target, target from ${pairs} as targets where id <> target)`;
}

/** If the same person reviewed several entries that are joined: all their reviews but the newest, which supersedes them. */
function outdatedReviews(pair: Pair): RawBuilder<unknown> {
  return sql`(
    select id, newest from (
      select reviews.id, first_value(reviews.id) over (
        partition by joining.target, reviews.user_id
        order by case when reviews.withdrawn_at is null then 0 else 1 end, reviews.created_at desc, reviews.id desc
      ) as newest
      from ${joiningEntries(pair)} as joining join reviews on reviews.entry_id = joining.id
      where reviews.user_id is not null) as ranked
    where id <> newest)`;
}

/** The effects of a merge. Both schools must exist. */
export async function findPreview(db: Connection, pair: Pair): Promise<MergePreview> {
  const { rows } = await sql<MergePreview>`
    select
      count(case when pairs.id = pairs.target then 1 end) as moving,
      count(case when pairs.id <> pairs.target then 1 end) as joining,
      coalesce(sum(review_counts.review_count), 0) as reviews
    from ${pairedEntries(pair)} as pairs left join review_counts on review_counts.entry_id = pairs.id`.execute(db);
  return rows[0] as MergePreview;
}

/** Locks two schools until the transaction ends, in the order of their ids, so that two merges never deadlock. */
export async function lockSchools(db: Connection, { from, into }: Pair): Promise<void> {
  await locking(db, db.selectFrom('schools').select('id').where('id', 'in', [from, into]).orderBy('id')).execute();
}

/**
 * Merges a school into another one: entries, reviews, counts, saved schools and addresses. Both must exist and be
 * locked.
 * @returns the entries whose responses change
 */
export async function mergeSchools(db: Connection, pair: Pair, now: Milliseconds): Promise<number[]> {
  const { from, into } = pair;
  // Posting a review locks its entry in shared mode: from here on nobody can post one.
  const entries = await locking(
    db,
    db.selectFrom('entries').select('id').where('school_id', 'in', [from, into]),
  ).execute();
  await lockJoiningReviews(db, pair);
  await supersedeOutdated(db, pair, now);
  await markMerged(db, pair);
  await discountOutdated(db, from);
  await withdrawOutdated(db, pair, now);
  await moveReviews(db, pair);
  await moveCounts(db, pair);
  await sql`update entries set school_id = ${into} where school_id = ${from}`.execute(db);
  await moveSaved(db, pair);
  await moveProposals(db, from, into);
  return entries.map(({ id }) => id);
}

/** Prevents reviews from being edited, hidden or withdrawn while the newest ones are determined. */
async function lockJoiningReviews(db: Connection, pair: Pair): Promise<void> {
  const entryIds = sql<number>`(select id from ${joiningEntries(pair)} as joining)`;
  const reviews = locking(db, allReviews(db).select('reviews.id').where('reviews.entry_id', 'in', entryIds));
  await db
    .selectFrom(reviews.as('locked'))
    .select((select) => select.fn.countAll().as('amount'))
    .execute();
}

/** Marks the outdated reviews, for the following statements too, and records an event for their authors. */
async function supersedeOutdated(db: Connection, pair: Pair, now: Milliseconds): Promise<void> {
  await sql`
    update reviews set superseded_by = outdated.newest from ${outdatedReviews(pair)} as outdated
    where reviews.id = outdated.id`.execute(db);
  await sql`
    insert into review_events (review_id, school_id, happened_at, event)
    select outdated.id, cast(${pair.into} as bigint), cast(${now} as bigint), 'merged' from ${outdatedReviews(pair)} as outdated
    order by outdated.id`.execute(db);
}

/** Stores the target of each joined entry, also for entries that were merged into it earlier. */
async function markMerged(db: Connection, pair: Pair): Promise<void> {
  await sql`
    update entries set merged_into = pairs.target from ${pairedEntries(pair)} as pairs
    where entries.id = pairs.id and pairs.id <> pairs.target`.execute(db);
  await sql`
    update entries set merged_into = (select next.merged_into from entries as next where next.id = entries.merged_into)
    where school_id = ${pair.from} and merged_into is not null
      and exists (select 1 from entries as next where next.id = entries.merged_into and next.merged_into is not null)
  `.execute(db);
}

/** The merged entries of a school, and their targets. */
const mergedOf = (from: number) => sql`(
  select id from entries where school_id = ${from} and merged_into is not null)`;
const successorsOf = (from: number) => sql`(
  select merged_into from entries where school_id = ${from} and merged_into is not null)`;

const columns = sql.join(COLUMNS.map((column) => sql.ref(column)));
const countsOfStars = sql.join(
  COLUMNS.map((column, index) => sql`count(*) filter (where half_stars = ${index + 1}) as ${sql.ref(column)}`),
);
const sums = sql.join(COLUMNS.map((column) => sql`sum(${sql.ref(`counts.${column}`)})`));

/** Removes outdated visible reviews from the counts and from the moderation queue. */
async function discountOutdated(db: Connection, from: number): Promise<void> {
  const outdated = sql`reviews where reviews.entry_id in (select id from ${mergedOf(from)} as merged
      union select merged_into from ${successorsOf(from)} as successors)
    and reviews.hidden_at is null and reviews.withdrawn_at is null and reviews.superseded_by is not null`;
  const less = (table: 'review_counts' | 'relation_counts') =>
    sql.join(
      COLUMNS.map(
        (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} - ${sql.ref(`lost.${column}`)}`,
      ),
    );
  await sql`
    update review_counts set ${less('review_counts')}
    from (select entry_id, ${countsOfStars} from ${outdated} group by entry_id) as lost
    where review_counts.entry_id = lost.entry_id`.execute(db);
  await sql`
    update relation_counts set ${less('relation_counts')}
    from (select entry_id, relation, ${countsOfStars} from ${outdated} and relation is not null
      group by entry_id, relation) as lost
    where relation_counts.entry_id = lost.entry_id and relation_counts.relation = lost.relation`.execute(db);
  await sql`delete from moderation_items where review_id in (select reviews.id from ${outdated})`.execute(db);
}

/**
 * Withdraws the outdated reviews. Those of an entry that stays are moved to a merged copy of it, because their authors
 * have another review there, or may post one later.
 */
async function withdrawOutdated(db: Connection, { from, into }: Pair, now: Milliseconds): Promise<void> {
  await sql`
    insert into entries (kind, school_id, name, name_key, description, merged_into)
    select kind, ${into}, name, name_key, description, id from entries
    where id in ${successorsOf(from)}
      and exists (select 1 from reviews where reviews.entry_id = entries.id and reviews.superseded_by is not null)
    order by id`.execute(db);
  await sql`
    update reviews set withdrawn_at = coalesce(withdrawn_at, ${now}), entry_id = coalesce(
      (select max(copy.id) from entries as copy where copy.merged_into = reviews.entry_id), entry_id)
    where entry_id in ${successorsOf(from)} and reviews.superseded_by is not null`.execute(db);
  await sql`
    update reviews set withdrawn_at = coalesce(withdrawn_at, ${now})
    where entry_id in ${mergedOf(from)} and reviews.superseded_by is not null`.execute(db);
}

async function moveReviews(db: Connection, { from, into }: Pair): Promise<void> {
  await sql`
    update moderation_items set burst_entry_id = (
      select entries.merged_into from reviews join entries on entries.id = reviews.entry_id
      where reviews.id = moderation_items.review_id)
    where burst_entry_id is not null
      and review_id in (select id from reviews where entry_id in ${mergedOf(from)} and reviews.superseded_by is null)`.execute(
    db,
  );
  await sql`
    update reviews set entry_id = (select merged_into from entries where entries.id = reviews.entry_id)
    where entry_id in ${mergedOf(from)} and reviews.superseded_by is null`.execute(db);
  const moving = sql`
    select id from entries where school_id = ${from}
    union select merged_into from entries where school_id = ${from} and merged_into is not null
    union select id from entries where merged_into in (select id from entries where school_id = ${from})`;
  for (const table of TABLES_OF_REVIEWS) {
    await sql`
      update ${sql.table(table)} set school_id = ${into}
      where review_id in (select id from reviews where entry_id in (${moving})) and school_id <> ${into}`.execute(db);
  }
  await sql`
    update reviews set school_id = ${into} where entry_id in (${moving}) and school_id <> ${into}`.execute(db);
}

/** Adds the counts of merged entries to those of their targets, and moves those of other entries. */
async function moveCounts(db: Connection, { from, into }: Pair): Promise<void> {
  const merged = (table: 'review_counts' | 'relation_counts') => sql`
    entries join ${sql.table(table)} as counts on counts.entry_id = entries.id
    where entries.school_id = ${from} and entries.merged_into is not null`;
  const more = (table: 'review_counts' | 'relation_counts', added: string) =>
    sql.join(
      COLUMNS.map(
        (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${sql.ref(`${added}.${column}`)}`,
      ),
    );
  const named = sql.join(COLUMNS.map((column) => sql`sum(${sql.ref(`counts.${column}`)}) as ${sql.ref(column)}`));
  await sql`
    update review_counts set ${more('review_counts', 'added')}
    from (select entries.merged_into as entry_id, ${named} from ${merged('review_counts')}
      group by entries.merged_into) as added
    where review_counts.entry_id = added.entry_id`.execute(db);
  await sql`
    insert into relation_counts (entry_id, school_id, relation, ${columns})
    select entries.merged_into, cast(${into} as bigint), counts.relation, ${sums} from ${merged('relation_counts')}
    group by entries.merged_into, counts.relation
    on conflict (entry_id, relation) do update set ${more('relation_counts', 'excluded')}`.execute(db);
  await sql`delete from relation_counts where entry_id in ${mergedOf(from)}`.execute(db);
  await sql`delete from review_counts where entry_id in ${mergedOf(from)}`.execute(db);
  for (const table of ['review_counts', 'relation_counts'] as const) {
    await sql`
      update ${sql.table(table)} set school_id = ${into}
      where entry_id in (select id from entries where school_id = ${from})`.execute(db);
  }
}

/** A user who has saved both schools keeps the row of the one that stays. */
async function moveSaved(db: Connection, { from, into }: Pair): Promise<void> {
  await sql`
    delete from saved_schools where school_id = ${from}
      and exists (select 1 from saved_schools as other
        where other.user_id = saved_schools.user_id and other.school_id = ${into})`.execute(db);
  await db.updateTable('saved_schools').set({ school_id: into }).where('school_id', '=', from).execute();
}

/** Replaces a school, to which nothing refers any more, by a row that names its successor. */
export async function retireSchool(db: Connection, { from, into }: Pair): Promise<void> {
  await sql`
    insert into merged_schools (id, school_id, prefix_key, location, import_key)
    select id, cast(${into} as bigint), prefix_key, location, import_key from schools where id = ${from}`.execute(db);
  await db.updateTable('merged_schools').set({ school_id: into }).where('school_id', '=', from).execute();
  await db.deleteFrom('schools').where('id', '=', from).execute();
}

/** The aliases of a school after a merge: its own, and the name and aliases of the other one. */
export async function addAliases(db: Connection, school: StoredSchool, gone: StoredSchool): Promise<StoredSchool> {
  const names = new Set([...school.aliases, gone.schoolName, ...gone.aliases]);
  names.delete(school.schoolName);
  const aliases = [...names];
  await storeAliases(db, school.id, aliases);
  return { ...school, aliases };
}
