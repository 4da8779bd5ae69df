import { type RawBuilder, sql } from 'kysely';
import { BURST_REVIEWS, BURST_WINDOW } from '../../contract/bursts.ts';
import type { OwnReview } from '../../contract/reviews.ts';
import { TAG_SEPARATOR, writeTags } from '../database/change-tags.ts';
import type { Commit, Connection, Position } from '../database/database.ts';
import { isUnavailable } from '../database/failures.ts';
import { grouping } from '../database/groups.ts';
import { locking } from '../database/lock-row.ts';
import { type Param, prepareQuery } from '../database/prepared-query.ts';
import type { Milliseconds } from '../database/tables.ts';
import { changes } from '../http/cache/tags.ts';
import { addingEvents } from '../http/limits/queries.ts';
import { noteRemaining, type Throttle } from '../http/limits/throttle.ts';
import { COUNTED_HALF_STARS, currentCounts, HALF_STAR_COLUMNS } from '../visibility/count-queries.ts';
import { addRelationCounts, composeChange } from '../visibility/count-update-queries.ts';
import { composeEntry } from '../visibility/entry-queries.ts';
import { findSchoolBatched, rememberSchool } from '../visibility/location-queries.ts';
import { allReviews } from '../visibility/queries.ts';
import { BY_NEW_ACCOUNT, composeRecentByNewAccounts } from './bursts/queries.ts';
import { addReview, NEW_REVIEW_COLUMNS, type NewReviewRow, newReviewRow, type ReviewValues } from './queries.ts';
import { type ReviewRow, reviewOf } from './review-rows.ts';
import { composeUsername } from './signature-queries.ts';

// Posts by one statement: the usual case, in which nothing is refused, the review is not the first of its entry, belongs
// to no burst and replaces none that was reported. In every other case nothing is changed. The statement is composed of
// the queries that a transaction sends, and a test compares what both write. Posts that arrive while it runs are sent
// together by the next.

/**
 * How long the statement waits for a lock. Shorter than `deadlock_timeout` of 1 s, after which PostgreSQL looks for
 * deadlocks: a group holds the locks of many posts.
 */
const LOCK_TIMEOUT = '200ms';

/** A post as the statement reads it. */
interface PostRow {
  stored: NewReviewRow;
  kind: string;
  burst_since: Milliseconds;
  /** The counter of the limit; null where the limit is lifted. */
  key: string | null;
  max: number;
  /** The end of the counter's new window, if none is open. */
  window_end: Milliseconds;
  /** The counter that records that the author has withdrawn a reported review of the entry. */
  left_key: string | null;
  tags: string;
}

/** A row that the statement returns. */
interface PostedRow extends ReviewRow {
  /** The index of the post in its group. */
  place: number | null;
  xid: string;
  /** Null where the limit is lifted. */
  count: number | null;
  ends_at: Milliseconds | null;
}

/** Makes a composed query take its parameters from the columns of a row. @param exceptions columns with other names */
const columnsOf =
  (row: string, exceptions: Readonly<Record<string, string>>) =>
  (name: PropertyKey): RawBuilder<never> => {
    const column =
      exceptions[String(name)] ?? String(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return sql.ref(`${row}.${column}`);
  };

const columnList = (expressions: readonly RawBuilder<unknown>[]) => sql.join(expressions);

/**
 * All parts of the statement see what was committed when it began. It skips entries, authors and counters of the limit
 * that others have locked. It waits for the counts of an entry: whoever posts, edits or hides a review holds them for a
 * moment only. Locked rows are read as they are when the lock is taken. A post is left out if, in between, the counter
 * of the limit has changed or, for a new account, the counts of the entry: another new account may have posted there.
 */
function composePosts(db: Connection, param: Param<{ posts: string; now: Milliseconds }>) {
  const skip = { skip: true };
  const post = columnsOf('post', { id: 'entry_id', since: 'burst_since' });
  const composedEntry = composeEntry(db, post);
  const entry = locking(db, composedEntry.clearSelect().select('id'), { ...skip, strength: 'keyShare' });
  const author = locking(db, composeUsername(db, post), { ...skip, strength: 'keyShare' });
  const counts = currentCounts(db).where('entry_id', '=', post('entryId')).where('school_id', '=', post('schoolId'));
  const countsNow = locking(db, counts.select([sql`ctid`.as('version'), 'review_count']), { strength: 'noKeyUpdate' });
  const unchanged = counts.select('entry_id').where(sql<boolean>`ctid = counts.version`);
  const counterNow = db.selectFrom('throttles').select('key').where('key', '=', post('key'));
  const own = allReviews(db)
    .select('id')
    .where('entry_id', '=', post('entryId'))
    .where('school_id', '=', post('schoolId'))
    .where('user_id', '=', post('userId'));
  const recent = composeRecentByNewAccounts(db, post);
  const values = NEW_REVIEW_COLUMNS.map((column) => sql.ref(`allowed.${column === 'username' ? 'signature' : column}`));

  // A division by zero undoes everything if a post was counted against the limit but not added: its author has
  // meanwhile reviewed the entry without spending of the limit.
  const statement = sql<PostedRow>`
    with post as (
      select place, ${columnList(NEW_REVIEW_COLUMNS.map((column) => sql`(stored).${sql.ref(column)}`))}, kind, burst_since, key, max, window_end, left_key, tags
      from json_to_recordset(${param('posts')}) as given (
        place integer, stored reviews, kind text, burst_since bigint, key text, max bigint, window_end bigint, left_key text, tags text
      ), set_config('lock_timeout', ${LOCK_TIMEOUT}, true)
    ),
    counter as (select throttles.key, count, ends_at from post join throttles on throttles.key = post.key),
    free_counter as (
      select now.key from post cross join lateral ${locking(db, counterNow, { ...skip, strength: 'noKeyUpdate' })} as now
    ),
    entry as (select place from post cross join lateral ${entry} as now),
    own as (select place from post cross join lateral ${own} as theirs),
    author as (select place, now.username as name from post cross join lateral ${author} as now),
    counts as (
      select place, version from post join entry using (place) join author using (place)
      cross join lateral ${countsNow} as now where review_count > 0
    ),
    unchanged as (
      select place from counts join post using (place) cross join lateral ${unchanged} as before
      where post.by_new_account = ${BY_NEW_ACCOUNT.counted}
    ),
    allowed as (
      select post.*, case when post.username is not null then author.name end as signature
      from post join author using (place) join counts using (place)
      left join counter on counter.key = post.key
      where not exists (select from own where own.place = post.place)
        and not exists (select from throttles as left_one where left_one.key = post.left_key and left_one.ends_at > post.created_at)
        and (counter.key is null or (
          (counter.ends_at <= post.created_at or counter.count < post.max)
          and exists (select from free_counter where free_counter.key = post.key)
        ))
        and (post.by_new_account <> ${BY_NEW_ACCOUNT.counted} or (
          exists (select from unchanged where unchanged.place = post.place)
          and (
            select count(*) < ${BURST_REVIEWS - 1} and count("burstEntryId") = 0 from ${recent} as recent
          )
        ))
    ),
    spent as (
      insert into throttles (key, count, ends_at)
      select key, 1, window_end from allowed where key is not null order by key
      on conflict (key) do update set ${columnList(
        Object.entries(addingEvents(param('now'))).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      )}
      where (throttles.count, throttles.ends_at)
        = (select counter.count, counter.ends_at from counter where counter.key = excluded.key)
      returning key, count, ends_at
    ),
    posted as (${addReview(db, (insert) =>
      insert.columns(NEW_REVIEW_COLUMNS).expression(
        sql`select ${columnList(values)} from allowed
            where key is null or exists (select from spent where spent.key = allowed.key)`,
      ),
    ).returning(['entry_id', 'school_id', 'user_id'])}),
    change as (select entry_id, school_id, ${COUNTED_HALF_STARS} from posted group by entry_id, school_id),
    counted as (${composeChange(db, columnsOf('change', { id: 'entry_id' })).from(sql`change`.as('change'))}),
    related as (${addRelationCounts(db, (insert) =>
      insert.columns(['entry_id', 'school_id', 'relation', ...HALF_STAR_COLUMNS]).expression(
        sql`select entry_id, school_id, relation, ${COUNTED_HALF_STARS} from posted
              where relation is not null group by entry_id, school_id, relation order by entry_id, relation`,
      ),
    )}),
    noted as (insert into site_acts (act, happened_at) select 'reviews', created_at from posted),
    logged as (
      insert into change_log (tags)
      select string_agg(tags, ${TAG_SEPARATOR}) from posted join allowed using (entry_id, user_id)
      having count(*) > 0 returning xid
    )
    select posted.*, allowed.place, logged.xid, spent.count, spent.ends_at,
      1 / case when (select count(*) from spent) > (select count(*) from posted) then 0 else 1 end as is_sound
    from (select 1) as answer
      left join posted on true left join allowed using (entry_id, user_id)
      left join logged on true left join spent using (key)`;
  return { compile: () => statement.compile(db) };
}

const queryPosts = prepareQuery(composePosts);

/**
 * @returns the review of each post; undefined for a post that changes nothing, because a transaction has to decide
 * about it
 */
async function addPosts(db: Connection, posts: readonly PostRow[]): Promise<(PostedRow | undefined)[]> {
  const now = Math.max(...posts.map(({ stored }) => stored.created_at));
  // Sorted, so that the groups of two processes lock counts in the same order.
  const sorted = posts.toSorted((one, other) => one.stored.entry_id - other.stored.entry_id);
  const placed = sorted.map((post, place) => ({ ...post, place }));
  const added = new Map<PostRow | undefined, PostedRow>();
  try {
    for (const row of await queryPosts(db, { posts: JSON.stringify(placed), now })) {
      if (row.place !== null) added.set(sorted[row.place], row);
    }
  } catch (error) {
    // An error of one post must not fail the others.
    if (isUnavailable(error) || posts.length === 1) throw error;
  }
  return posts.map((post) => added.get(post));
}

/**
 * Adds a post together with others. Two posts of one author, or of new accounts to one entry, are never sent together:
 * the second must see the first.
 */
const addPost = grouping(addPosts, ({ stored: { user_id, entry_id, by_new_account } }) => [
  `user ${user_id}`,
  ...(by_new_account === BY_NEW_ACCOUNT.counted ? [`entry ${entry_id}`] : []),
]);

interface NewPost {
  readonly kind: string;
  readonly entryId: number;
  readonly userId: number;
  readonly values: ReviewValues;
  readonly isNew: boolean;
  readonly throttles: readonly Throttle[];
  /** Record that the author has withdrawn a reported review of the entry. */
  readonly reportedReviewWithdrawals: readonly Throttle[];
}

/** Posts a review in the usual case. @returns undefined in any other, when nothing is changed */
export async function postInOneStatement(
  db: Connection,
  commit: Commit,
  { kind, entryId, userId, values, isNew, throttles, reportedReviewWithdrawals }: NewPost,
  now: Milliseconds,
): Promise<{ value: OwnReview & { isFirst: boolean }; position: Position } | undefined> {
  const [throttle, ...others] = throttles;
  if (others.length > 0) return undefined;
  const schoolId = await findSchoolBatched(db, entryId);
  if (schoolId === undefined) return undefined;
  const entry = { id: entryId, schoolId };
  const tags = changes.reviewsChanged(entry, kind);
  const byNewAccount = isNew ? BY_NEW_ACCOUNT.counted : BY_NEW_ACCOUNT.no;
  const row = await addPost(db, {
    stored: newReviewRow(entry, userId, values, now, byNewAccount),
    kind,
    burst_since: now - BURST_WINDOW,
    key: throttle?.key ?? null,
    max: throttle?.limit.max ?? 0,
    window_end: now + (throttle?.limit.windowMs ?? 0),
    left_key: reportedReviewWithdrawals[0]?.key ?? null,
    tags: writeTags(tags),
  });
  if (!row) return undefined;
  if (throttle && row.count !== null && row.ends_at !== null) {
    noteRemaining(throttle, { count: row.count, endsAt: row.ends_at }, now);
  }
  rememberSchool('reviews', row.id, schoolId);
  commit.invalidate(...tags);
  return { value: { ...reviewOf(row), userId, isHidden: false, isFirst: false }, position: Number(row.xid) };
}
