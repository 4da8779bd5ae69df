import { type RawBuilder, sql } from 'kysely';
import { BURST_REVIEWS, BURST_WINDOW } from '../../contract/bursts.ts';
import type { Category } from '../../contract/categories.ts';
import { BACKGROUND_FIELDS, type OwnReview } from '../../contract/reviews.ts';
import { toHalfStars } from '../../contract/stars.ts';
import { writeTags } from '../database/change-tags.ts';
import type { Commit, Connection, Position } from '../database/database.ts';
import { locking, lockingShared } from '../database/lock-row.ts';
import { type Given, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds } from '../database/tables.ts';
import { changes } from '../http/cache/tags.ts';
import { addingEvents } from '../http/limits/queries.ts';
import { note, type Throttle } from '../http/limits/throttle.ts';
import { COLUMNS, columnOf, currentCounts, type HalfStarCounts } from '../visibility/count-queries.ts';
import { addRelationCounts, composeChange, noCounts } from '../visibility/counting-queries.ts';
import { composeEntry } from '../visibility/entry-queries.ts';
import { findSchoolOf, remember } from '../visibility/location-queries.ts';
import { allReviews } from '../visibility/queries.ts';
import { BY_NEW_ACCOUNT, composeRecent } from './bursts/queries.ts';
import { addReview, newReviewColumns, type PostedReview, type ReviewValues } from './queries.ts';
import { type ReviewRow, reviewOf, toBackgroundRow } from './review-rows.ts';
import { composeUsername } from './signature-queries.ts';

// A post by one statement: the usual case, in which nothing is refused, the review is not the first of its entry and it
// belongs to no burst. In every other case the statement changes nothing. It is composed of the queries that a
// transaction sends, and a test compares what both write.

type Post = Omit<PostedReview, 'username'> &
  HalfStarCounts & {
    kind: string;
    isSigned: 0 | 1;
    burstSince: Milliseconds;
    /** The counter of the limit; null where the limit is lifted. */
    key: string | null;
    max: number;
    endsAt: Milliseconds;
    tags: string;
  };

interface Posted extends ReviewRow {
  /** Null if there is no review: all other columns then are null too. */
  id: number;
  xid: string;
  /** Null where the limit is lifted. */
  count: number | null;
  ends_at: Milliseconds | null;
}

const giving =
  <Values>(values: { [Name in keyof Values]: RawBuilder<Values[Name]> }): Given<Values> =>
  (name) =>
    values[name];

const NOTHING = sql``;

const list = (expressions: readonly RawBuilder<unknown>[]) => sql.join(expressions);

/** What PostgreSQL prepares in each run of the statement, though not every post needs it. */
interface Parts {
  /** The account is new, so that the review can make or continue a burst. */
  readonly isNew: boolean;
  readonly hasRelation: boolean;
}

/**
 * All parts see what was committed when the statement began, and wait for locks after that. If a counter has changed in
 * between, the statement changes nothing: a counter of the limit or, for a new account, the counts of the entry, to
 * which another new account may have posted. A locked row is read as it is after the wait.
 */
const composePost =
  ({ isNew, hasRelation }: Parts) =>
  (db: Connection, given: Given<Post>) => {
    const allowed = (column: string) => sql.ref(`allowed.${column}`) as RawBuilder<never>;
    const key = { id: given('entryId'), schoolId: given('schoolId') };
    const posted = {
      id: sql<number>`(select entry_id from posted)`,
      schoolId: sql<number>`(select school_id from posted)`,
    };

    const counter = db.selectFrom('throttles').select(['count', 'ends_at']).where('key', '=', given('key'));
    const entry = lockingShared(
      db,
      composeEntry(db, giving({ ...key, kind: given('kind') }))
        .clearSelect()
        .select(['id', 'school_id']),
    );
    const own = allReviews(db)
      .select('id')
      .where('entry_id', '=', key.id)
      .where('school_id', '=', key.schoolId)
      .where('user_id', '=', given('userId'));
    const author = lockingShared(db, composeUsername(db, given));
    const counts = currentCounts(db)
      .where('entry_id', '=', key.id)
      .where('school_id', '=', key.schoolId)
      .select([sql`ctid`.as('version'), 'review_count']);
    // Locked after the entry and the author, as a merge and a deletion do: in the other order each waits for the other.
    const countsAfterEntry = counts.where(sql<boolean>`exists (select from entry, author)`);

    const columns = newReviewColumns(
      giving({
        ...(Object.fromEntries(BACKGROUND_FIELDS.map((field) => [field, given(field)])) as Pick<
          { [Name in keyof Post]: RawBuilder<Post[Name]> },
          (typeof BACKGROUND_FIELDS)[number]
        >),
        entryId: allowed('id'),
        schoolId: allowed('school_id'),
        username: sql`case when cast(${given('isSigned')} as integer) = 1 then allowed.username end`,
        userId: given('userId'),
        halfStars: given('halfStars'),
        review: given('review'),
        createdAt: given('createdAt'),
        byNewAccount: given('byNewAccount'),
      }),
    );
    const added = Object.fromEntries(COLUMNS.map((column) => [column, given(column)])) as {
      [Column in keyof HalfStarCounts]: RawBuilder<number>;
    };

    const burst = {
      parts: sql`
      locked_counts as ${locking(db, countsAfterEntry, { allowsReferences: true })},
      recent as ${composeRecent(db, giving({ entryId: key.id, schoolId: key.schoolId, since: given('burstSince') }))},`,
      isNone: sql`
      and exists (select from counts join locked_counts using (version))
      and not exists (select from recent where "burstEntryId" is not null)
      and (select count(*) from recent) < ${BURST_REVIEWS - 1}`,
    };
    const related = sql`
    related as (${addRelationCounts(db, (insert) =>
      insert
        .columns(['entry_id', 'school_id', 'relation', ...COLUMNS])
        .expression(
          sql`select entry_id, school_id, relation, ${list(COLUMNS.map((column) => given(column)))} from posted`,
        ),
    )}),`;

    // A division by zero undoes everything if the author has posted the same by another transaction meanwhile, or if the
    // other reviews of the entry are gone, so that this one may be the first.
    const statement = sql<Posted>`
    with counter as ${counter},
    entry as ${entry},
    own as ${own},
    author as ${author},
    counts as ${counts},
    ${isNew ? burst.parts : NOTHING}
    allowed as (
      select entry.id, entry.school_id, author.username from entry, author
      where not exists (select from own)
        and not exists (select from counter where ends_at > ${given('createdAt')} and count >= ${given('max')})
        and exists (select from counts where review_count > 0)
        ${isNew ? burst.isNone : NOTHING}
    ),
    spent as (
      insert into throttles (key, count, ends_at)
      select ${given('key')}, 1, ${given('endsAt')} from allowed where cast(${given('key')} as text) is not null
      on conflict (key) do update set ${list(
        Object.entries(addingEvents(given('createdAt'))).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      )}
      where (throttles.count, throttles.ends_at) = (select count, ends_at from counter)
      returning count, ends_at
    ),
    posted as (${addReview(db, (insert) =>
      insert.columns(Object.keys(columns) as (keyof typeof columns)[]).expression(
        sql`select ${list(Object.values(columns))} from allowed
            where cast(${given('key')} as text) is null or exists (select from spent)`,
      ),
    ).returning(['entry_id', 'school_id'])}),
    counted as (${composeChange(db, giving({ ...added, ...posted }))}),
    ${hasRelation ? related : NOTHING}
    noted as (insert into site_acts (act, happened_at) select 'reviews', ${given('createdAt')} from posted),
    logged as (
      insert into change_log (tags) select ${given('tags')} from posted returning xid
    )
    select posted.*, logged.xid, spent.count, spent.ends_at,
      1 / case
        when exists (select from spent) and not exists (select from posted) then 0
        when (select "reviewCount" from counted) = 1 then 0
        else 1
      end as is_sound
    from (select 1) as answer left join posted on true left join logged on true left join spent on true`;
    return { compile: () => statement.compile(db) };
  };

const variants = [true, false].flatMap((isNew) =>
  [true, false].map((hasRelation) => ({
    isNew,
    hasRelation,
    query: prepareQuery(composePost({ isNew, hasRelation })),
  })),
);

function queryOf(parts: Parts) {
  const found = variants.find(({ isNew, hasRelation }) => isNew === parts.isNew && hasRelation === parts.hasRelation);
  if (!found) throw new Error('There is no such post.');
  return found.query;
}

interface Posting {
  readonly category: Category;
  readonly entryId: number;
  readonly userId: number;
  readonly values: ReviewValues;
  readonly isNew: boolean;
  readonly throttles: readonly Throttle[];
}

/** Posts a review in the usual case. @returns undefined in any other, when nothing is changed */
export async function postAtOnce(
  db: Connection,
  commit: Commit,
  { category: { kind }, entryId, userId, values, isNew, throttles }: Posting,
  now: Milliseconds,
): Promise<{ value: OwnReview & { isFirst: boolean }; position: Position } | undefined> {
  const { rating, review, username, ...background } = values;
  const [throttle, ...others] = throttles;
  if (others.length > 0) return undefined;
  const halfStars = toHalfStars(rating);
  const schoolId = await findSchoolOf(db, 'entries', entryId);
  if (schoolId === undefined) return undefined;
  const tags = changes.reviewsChanged({ entryId, schoolId }, kind);
  const [row] = await queryOf({ isNew, hasRelation: background.relation !== undefined })(db, {
    entryId,
    schoolId,
    kind,
    userId,
    isSigned: username === null ? 0 : 1,
    halfStars,
    review,
    createdAt: now,
    byNewAccount: isNew ? BY_NEW_ACCOUNT.counted : BY_NEW_ACCOUNT.no,
    burstSince: now - BURST_WINDOW,
    key: throttle?.key ?? null,
    max: throttle?.limit.max ?? 0,
    endsAt: now + (throttle?.limit.windowMs ?? 0),
    tags: writeTags(tags),
    ...toBackgroundRow(background),
    ...noCounts(),
    [columnOf(halfStars)]: 1,
  });
  if (!row || row.id === null) return undefined;
  if (throttle && row.count !== null && row.ends_at !== null) {
    note(throttle, { count: row.count, endsAt: row.ends_at }, now);
  }
  remember('reviews', row.id, schoolId);
  commit.invalidate(...tags);
  return { value: { ...reviewOf(row), userId, isHidden: false, isFirst: false }, position: Number(row.xid) };
}
