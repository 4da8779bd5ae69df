import { type RawBuilder, sql } from 'kysely';
import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { COUNTED_HALF_STARS, HALF_STAR_COLUMNS } from '../../visibility/count-queries.ts';
import { relationTarget } from '../../visibility/count-update-queries.ts';
import { addToDirectory } from '../../visibility/location-queries.ts';
import type { SchoolPair } from './moving-queries.ts';

// Joins entries of a school with namesakes that have moved there from another one.

/** A condition on rows of `entries`, for an alias of the table. */
type Condition = (alias: string) => RawBuilder<unknown>;

/** The entries that move, and those that they may be joined with. */
interface MovingAndStaying {
  readonly moving: Condition;
  readonly staying: Condition;
}

const ofSchool =
  (id: number): Condition =>
  (alias) =>
    sql`${sql.ref(`${alias}.school_id`)} = ${id}`;

/** The entries of two schools before a merge. */
export const entriesOfSchools = ({ from, into }: SchoolPair): MovingAndStaying => ({
  moving: ofSchool(from),
  staying: ofSchool(into),
});

/** Entries that have moved to a school. */
interface MovedEntries {
  readonly schoolId: number;
  /** Not empty. */
  readonly entryIds: readonly number[];
}

const isMoved =
  ({ schoolId, entryIds }: MovedEntries): Condition =>
  (alias) =>
    sql`${ofSchool(schoolId)(alias)} and ${sql.ref(`${alias}.id`)} in (${sql.join(entryIds)})`;

const entriesAfterMove = (moved: MovedEntries): MovingAndStaying => ({
  moving: isMoved(moved),
  staying: (alias) =>
    sql`${ofSchool(moved.schoolId)(alias)} and ${sql.ref(`${alias}.id`)} not in (${sql.join(moved.entryIds)})`,
});

/**
 * The entries that move, each with its target: the entry of the other school with the same category and name or, where
 * it has none, the first such entry among those that move, usually the entry itself.
 */
export function pairedEntries({ moving, staying }: MovingAndStaying): RawBuilder<unknown> {
  const namesake = (condition: Condition) => sql`(
    select min(namesake.id) from entries as namesake
    where ${condition('namesake')} and namesake.kind = entries.kind
      and namesake.name_key = entries.name_key
      and namesake.merged_into is null and namesake.deleted_at is null)`;
  return sql`(
    select entries.id, entries.school_id, coalesce(${namesake(staying)}, ${namesake(moving)}) as target
    from entries where ${moving('entries')} and entries.merged_into is null
      and entries.deleted_at is null)`;
}

/** The entries that are joined with another one, and their targets. */
export function joiningEntries(moved: MovedEntries): RawBuilder<unknown> {
  const pairs = pairedEntries(entriesAfterMove(moved));
  return sql`(
    select id, target from ${pairs} as pairs where id <> target
    union select target, target from ${pairs} as targets where id <> target)`;
}

/**
 * If the same person reviewed several entries that are joined: all their reviews but the newest, which supersedes them.
 * Withdrawn reviews count as older than any other.
 */
function outdatedReviews(moved: MovedEntries): RawBuilder<unknown> {
  return sql`(
    select id, newest from (
      select reviews.id, first_value(reviews.id) over (
        partition by joining.target, reviews.user_id
        order by case when reviews.withdrawn_at is null then 0 else 1 end, reviews.created_at desc, reviews.id desc
      ) as newest
      from ${joiningEntries(moved)} as joining
      join reviews on reviews.entry_id = joining.id and reviews.school_id = ${moved.schoolId}
      where reviews.user_id is not null) as ranked
    where id <> newest)`;
}

/** Joins the entries that have moved with their namesakes. The reviews of both must be locked. */
export async function joinEntries(db: Connection, moved: MovedEntries, now: Milliseconds): Promise<void> {
  await supersedeOutdated(db, moved, now);
  await markMerged(db, moved);
  await subtractOutdated(db, moved);
  await withdrawOutdated(db, moved, now);
  await joinReviews(db, moved);
  await joinCounts(db, moved);
}

/** Marks the outdated reviews, by which the following statements find them, and records an event for their authors. */
async function supersedeOutdated(db: Connection, moved: MovedEntries, now: Milliseconds): Promise<void> {
  await sql`
    update reviews set superseded_by = outdated.newest from ${outdatedReviews(moved)} as outdated
    where reviews.id = outdated.id and reviews.school_id = ${moved.schoolId}`.execute(db);
  await sql`
    insert into review_events (review_id, school_id, happened_at, event)
    select outdated.id, cast(${moved.schoolId} as bigint), cast(${now} as bigint), 'merged'
    from ${outdatedReviews(moved)} as outdated
    order by outdated.id`.execute(db);
}

/** Stores the target of each joined entry, also for entries that were merged into it earlier. */
async function markMerged(db: Connection, moved: MovedEntries): Promise<void> {
  const { schoolId } = moved;
  await sql`
    update entries set merged_into = pairs.target from ${pairedEntries(entriesAfterMove(moved))} as pairs
    where entries.id = pairs.id and entries.school_id = ${schoolId} and pairs.id <> pairs.target`.execute(db);
  const next = sql`entries as next where next.id = entries.merged_into and next.school_id = ${schoolId}`;
  await sql`
    update entries set merged_into = (select next.merged_into from ${next})
    where ${isMoved(moved)('entries')} and merged_into is not null
      and exists (select 1 from ${next} and next.merged_into is not null)`.execute(db);
}

/** The ids of the moved entries that are merged into others. */
const mergedIds = (moved: MovedEntries) => sql`(
  select id from entries where ${isMoved(moved)('entries')} and merged_into is not null)`;
/** The ids of the entries that moved entries are merged into. */
const targetIds = (moved: MovedEntries) => sql`(
  select merged_into from entries where ${isMoved(moved)('entries')} and merged_into is not null)`;

const countColumns = sql.join(HALF_STAR_COLUMNS.map((column) => sql.ref(column)));
const summedColumns = sql.join(HALF_STAR_COLUMNS.map((column) => sql`sum(${sql.ref(`counts.${column}`)})`));

type CountTable = 'review_counts' | 'relation_counts';

/** The assignments that add other counts to those of a table, or subtract them. */
const countAssignments = (table: CountTable, sign: RawBuilder<unknown>, by: string) =>
  sql.join(
    HALF_STAR_COLUMNS.map(
      (column) => sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} ${sign} ${sql.ref(`${by}.${column}`)}`,
    ),
  );

/** Removes outdated visible reviews from the counts and from the moderation queue. */
async function subtractOutdated(db: Connection, moved: MovedEntries): Promise<void> {
  const { schoolId } = moved;
  const outdated = sql`reviews where reviews.school_id = ${schoolId}
    and reviews.entry_id in (select id from ${mergedIds(moved)} as merged
      union select merged_into from ${targetIds(moved)} as successors)
    and reviews.hidden_at is null and reviews.withdrawn_at is null and reviews.superseded_by is not null`;
  await sql`
    update review_counts set ${countAssignments('review_counts', sql`-`, 'lost')}
    from (select entry_id, ${COUNTED_HALF_STARS} from ${outdated} group by entry_id) as lost
    where review_counts.entry_id = lost.entry_id and review_counts.school_id = ${schoolId}`.execute(db);
  await sql`
    update relation_counts set ${countAssignments('relation_counts', sql`-`, 'lost')}
    from (select entry_id, relation, ${COUNTED_HALF_STARS} from ${outdated} and relation is not null
      group by entry_id, relation) as lost
    where relation_counts.entry_id = lost.entry_id and relation_counts.school_id = ${schoolId}
      and relation_counts.relation = lost.relation`.execute(db);
  await sql`
    delete from moderation_items
    where school_id = ${schoolId} and review_id in (select reviews.id from ${outdated})`.execute(db);
}

/**
 * Withdraws the outdated reviews. Those of an entry that stays are moved to a merged copy of it, because their authors
 * can have only one review of the entry itself.
 */
async function withdrawOutdated(db: Connection, moved: MovedEntries, now: Milliseconds): Promise<void> {
  const { schoolId } = moved;
  const { rows: copies } = await sql<{ id: number }>`
    insert into entries (kind, school_id, name, name_key, description, merged_into)
    select kind, school_id, name, name_key, description, id from entries
    where school_id = ${schoolId} and id in ${targetIds(moved)}
      and exists (select 1 from reviews where reviews.entry_id = entries.id
        and reviews.school_id = entries.school_id and reviews.superseded_by is not null)
    order by id returning id`.execute(db);
  const added = copies.map(({ id }) => ({ id, schoolId }));
  if (added.length > 0) await addToDirectory(db, added);
  const outdated = sql`school_id = ${schoolId} and reviews.superseded_by is not null`;
  await sql`
    update reviews set withdrawn_at = coalesce(withdrawn_at, ${now}), entry_id = coalesce(
      (select max(copy.id) from entries as copy
        where copy.merged_into = reviews.entry_id and copy.school_id = ${schoolId}), entry_id)
    where entry_id in ${targetIds(moved)} and ${outdated}`.execute(db);
  await sql`
    update reviews set withdrawn_at = coalesce(withdrawn_at, ${now})
    where entry_id in ${mergedIds(moved)} and ${outdated}`.execute(db);
}

/** Moves the reviews of merged entries to their targets. */
async function joinReviews(db: Connection, moved: MovedEntries): Promise<void> {
  const { schoolId } = moved;
  const joining = sql`entry_id in ${mergedIds(moved)} and reviews.school_id = ${schoolId}
    and reviews.superseded_by is null`;
  await sql`
    update moderation_items set burst_entry_id = (
      select entries.merged_into from reviews join entries
        on entries.id = reviews.entry_id and entries.school_id = reviews.school_id
      where reviews.id = moderation_items.review_id and reviews.school_id = ${schoolId})
    where school_id = ${schoolId} and burst_entry_id is not null
      and review_id in (select id from reviews where ${joining})`.execute(db);
  await sql`
    update reviews set entry_id = (select merged_into from entries
      where entries.id = reviews.entry_id and entries.school_id = ${schoolId})
    where ${joining}`.execute(db);
}

/** Adds the counts of merged entries to those of their targets. */
async function joinCounts(db: Connection, moved: MovedEntries): Promise<void> {
  const { schoolId } = moved;
  const ofMerged = (table: CountTable) => sql`
    entries join ${sql.table(table)} as counts
      on counts.entry_id = entries.id and counts.school_id = entries.school_id
    where ${isMoved(moved)('entries')} and entries.merged_into is not null`;
  const namedSums = sql.join(
    HALF_STAR_COLUMNS.map((column) => sql`sum(${sql.ref(`counts.${column}`)}) as ${sql.ref(column)}`),
  );
  await sql`
    update review_counts set ${countAssignments('review_counts', sql`+`, 'added')}
    from (select entries.merged_into as entry_id, ${namedSums} from ${ofMerged('review_counts')}
      group by entries.merged_into) as added
    where review_counts.entry_id = added.entry_id and review_counts.school_id = ${schoolId}`.execute(db);
  const key = sql.join(relationTarget(db).map((column) => sql.ref(column)));
  await sql`
    insert into relation_counts (entry_id, school_id, relation, ${countColumns})
    select entries.merged_into, cast(${schoolId} as bigint), counts.relation, ${summedColumns} from ${ofMerged('relation_counts')}
    group by entries.merged_into, counts.relation
    on conflict (${key}) do update set ${countAssignments('relation_counts', sql`+`, 'excluded')}`.execute(db);
  for (const table of ['relation_counts', 'review_counts']) {
    await sql`
      delete from ${sql.table(table)} where school_id = ${schoolId} and entry_id in ${mergedIds(moved)}`.execute(db);
  }
}
