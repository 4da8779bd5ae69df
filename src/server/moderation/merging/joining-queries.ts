import { type RawBuilder, sql } from 'kysely';
import { foldOptionalMarks } from '../../../contract/folding.ts';
import type { Connection } from '../../database/database.ts';
import type { Milliseconds } from '../../database/tables.ts';
import { COUNTED_HALF_STARS, HALF_STAR_COLUMNS } from '../../visibility/count-queries.ts';
import { relationTarget } from '../../visibility/count-update-queries.ts';
import { addToDirectory } from '../../visibility/location-queries.ts';

// Joins entries that have moved to a school with their namesakes there.

/** An entry, and the one that it is joined with. */
interface Pair {
  readonly id: number;
  readonly target: number;
}

interface Namesake {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
}

/**
 * The entries of a school that moves which are joined: with the entry of the other school that has the same category
 * and name or, where it has none, with the first such entry that moves.
 * @param moving without merged and deleted entries, like `staying`; of one name, the oldest first
 */
export function pairNamesakes(moving: readonly Namesake[], staying: readonly Namesake[]): Pair[] {
  const keyOf = ({ kind, name }: Namesake) => `${kind} ${foldOptionalMarks(name)}`;
  const targets = new Map([...staying, ...moving].toReversed().map((entry) => [keyOf(entry), entry.id]));
  return moving.flatMap((entry) => {
    // Safe: the entry itself has this key.
    const target = targets.get(keyOf(entry)) as number;
    return target === entry.id ? [] : [{ id: entry.id, target }];
  });
}

/** Entries of one school. */
interface JoinedEntries {
  readonly schoolId: number;
  /** Not empty. */
  readonly pairs: readonly Pair[];
}

const joinedIds = ({ pairs }: JoinedEntries) => sql.join(pairs.map(({ id }) => id));
const targetIds = ({ pairs }: JoinedEntries) => sql.join([...new Set(pairs.map(({ target }) => target))]);

/**
 * If the same person reviewed several entries that are joined: all their reviews but the newest, which supersedes them.
 * Withdrawn reviews count as older than any other.
 */
function outdatedReviews(joined: JoinedEntries): RawBuilder<unknown> {
  return sql`(
    select id, newest from (
      select reviews.id, first_value(reviews.id) over (
        partition by coalesce(entries.merged_into, entries.id), reviews.user_id
        order by case when reviews.withdrawn_at is null then 0 else 1 end, reviews.created_at desc, reviews.id desc
      ) as newest
      from entries join reviews on reviews.entry_id = entries.id and reviews.school_id = entries.school_id
      where entries.school_id = ${joined.schoolId} and entries.id in (${joinedIds(joined)}, ${targetIds(joined)})
        and reviews.user_id is not null) as ranked
    where id <> newest)`;
}

/** Joins entries with their targets. The reviews of both must be locked. */
export async function joinEntries(db: Connection, joined: JoinedEntries, now: Milliseconds): Promise<void> {
  await markMerged(db, joined);
  await supersedeOutdated(db, joined, now);
  await subtractOutdated(db, joined);
  await withdrawOutdated(db, joined, now);
  await joinReviews(db, joined);
  await joinCounts(db, joined);
}

/** Stores the target of each joined entry, also for entries that were merged into it earlier. */
async function markMerged(db: Connection, joined: JoinedEntries): Promise<void> {
  const { schoolId, pairs } = joined;
  const rows = pairs.map(({ id, target }) => sql`(cast(${id} as bigint), cast(${target} as bigint))`);
  await sql`
    with pairs (id, target) as (values ${sql.join(rows)})
    update entries set merged_into = pairs.target from pairs
    where entries.id = pairs.id and entries.school_id = ${schoolId}`.execute(db);
  await sql`
    update entries set merged_into = (select next.merged_into from entries as next
      where next.id = entries.merged_into and next.school_id = ${schoolId})
    where school_id = ${schoolId} and merged_into in (${joinedIds(joined)})`.execute(db);
}

/** Marks the outdated reviews, by which the following statements find them, and records an event for their authors. */
async function supersedeOutdated(db: Connection, joined: JoinedEntries, now: Milliseconds): Promise<void> {
  await sql`
    update reviews set superseded_by = outdated.newest from ${outdatedReviews(joined)} as outdated
    where reviews.id = outdated.id and reviews.school_id = ${joined.schoolId}`.execute(db);
  await sql`
    insert into review_events (review_id, school_id, happened_at, event)
    select outdated.id, cast(${joined.schoolId} as bigint), cast(${now} as bigint), 'merged'
    from ${outdatedReviews(joined)} as outdated
    order by outdated.id`.execute(db);
}

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
async function subtractOutdated(db: Connection, joined: JoinedEntries): Promise<void> {
  const { schoolId } = joined;
  const entryIds = sql`(${joinedIds(joined)}, ${targetIds(joined)})`;
  const outdated = sql`reviews where reviews.school_id = ${schoolId} and reviews.entry_id in ${entryIds}
    and reviews.hidden_at is null and reviews.withdrawn_at is null and reviews.superseded_by is not null`;
  await sql`
    update review_counts set ${countAssignments('review_counts', sql`-`, 'lost')}
    from (select entry_id, ${COUNTED_HALF_STARS} from ${outdated} group by entry_id) as lost
    where review_counts.entry_id = lost.entry_id and review_counts.entry_id in ${entryIds}
      and review_counts.school_id = ${schoolId}`.execute(db);
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
async function withdrawOutdated(db: Connection, joined: JoinedEntries, now: Milliseconds): Promise<void> {
  const { schoolId } = joined;
  const { rows: copies } = await sql<{ id: number }>`
    insert into entries (kind, school_id, name, name_key, description, merged_into)
    select kind, school_id, name, name_key, description, id from entries
    where school_id = ${schoolId} and id in (${targetIds(joined)})
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
    where entry_id in (${targetIds(joined)}) and ${outdated}`.execute(db);
  await sql`
    update reviews set withdrawn_at = coalesce(withdrawn_at, ${now})
    where entry_id in (${joinedIds(joined)}) and ${outdated}`.execute(db);
}

/** Moves the reviews of merged entries to their targets. */
async function joinReviews(db: Connection, joined: JoinedEntries): Promise<void> {
  const { schoolId } = joined;
  const joining = sql`entry_id in (${joinedIds(joined)}) and reviews.school_id = ${schoolId}
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
async function joinCounts(db: Connection, joined: JoinedEntries): Promise<void> {
  const { schoolId } = joined;
  const ofMerged = (table: CountTable) => sql`
    entries join ${sql.table(table)} as counts
      on counts.entry_id = entries.id and counts.school_id = entries.school_id
    where entries.school_id = ${schoolId} and entries.id in (${joinedIds(joined)})`;
  const namedSums = sql.join(
    HALF_STAR_COLUMNS.map((column) => sql`sum(${sql.ref(`counts.${column}`)}) as ${sql.ref(column)}`),
  );
  await sql`
    update review_counts set ${countAssignments('review_counts', sql`+`, 'added')}
    from (select entries.merged_into as entry_id, ${namedSums} from ${ofMerged('review_counts')}
      group by entries.merged_into) as added
    where review_counts.entry_id = added.entry_id and review_counts.entry_id in (${targetIds(joined)})
      and review_counts.school_id = ${schoolId}`.execute(db);
  const key = sql.join(relationTarget(db).map((column) => sql.ref(column)));
  await sql`
    insert into relation_counts (entry_id, school_id, relation, ${countColumns})
    select entries.merged_into, cast(${schoolId} as bigint), counts.relation, ${summedColumns} from ${ofMerged('relation_counts')}
    group by entries.merged_into, counts.relation
    on conflict (${key}) do update set ${countAssignments('relation_counts', sql`+`, 'excluded')}`.execute(db);
  for (const table of ['relation_counts', 'review_counts']) {
    await sql`
      delete from ${sql.table(table)} where school_id = ${schoolId} and entry_id in (${joinedIds(joined)})`.execute(db);
  }
}
