import { type SelectQueryBuilder, sql } from 'kysely';
import type { Sort } from '../../../contract/review-filters.ts';
import type { CategoryReview, Review, ReviewListQuery } from '../../../contract/reviews.ts';
import { HALF_STARS_MAX, halfStarsOf } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { Page, readPage } from '../../database/paging.ts';
import { type Given, prepareQuery } from '../../database/prepared-query.ts';
import type { Milliseconds, Tables } from '../../database/tables.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { currentEntries, shownReviews, visibleReviewsOf } from '../../visibility/queries.ts';
import { REVIEW_COLUMNS, reviewOf } from '../queries.ts';

interface PageOfEntry {
  entryId: number;
  rows: number;
}

const queryFirstPage = prepareQuery((db, given: Given<PageOfEntry>) => newestReviews(db, given));

const queryNextPage = prepareQuery((db, given: Given<PageOfEntry & { createdAt: Milliseconds; id: number }>) =>
  newestReviews(db, given).where((row) =>
    row(row.refTuple('created_at', 'id'), '<', row.tuple(given('createdAt'), given('id'))),
  ),
);

function newestReviews(db: Connection, given: Given<PageOfEntry>) {
  return visibleReviewsOf(db, given('entryId'))
    .select(REVIEW_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(given('rows'));
}

interface SortedRow {
  id: number;
  created_at: Milliseconds;
  half_stars: number;
  helpful: number;
}

/** The values by which a list of reviews, newest first, is sorted. */
export const newestFirst = (row: Pick<SortedRow, 'created_at' | 'id'>) => [row.created_at, row.id] as const;

/** The reviews of an entry from which a page is selected. */
type Reviews = SelectQueryBuilder<Tables, 'reviews', object>;

/** The filter of a list of reviews. */
interface ReviewFilter extends Pick<ReviewListQuery, 'stars' | 'relation'> {
  /** Reviews posted at this time or later. */
  since: Milliseconds | undefined;
}

/**
 * An order of the list. It is read in one or more parts, each in the order of an index, because no index has the
 * ratings descending and the newest first within each.
 */
interface Order {
  /** The column that is sorted by before the time, and its direction. */
  readonly by?: 'half_stars' | 'helpful';
  readonly isAscending?: true;
  readonly valuesOf: (row: SortedRow) => readonly number[];
  /** The queries for the parts, starting after the cursor. */
  readonly parts: (reviews: Reviews, filter: ReviewFilter, after: readonly number[] | undefined) => Reviews[];
}

const olderThan = (reviews: Reviews, [createdAt = 0, id = 0]: readonly number[]) =>
  reviews.where((row) => row(row.refTuple('created_at', 'id'), '<', row.tuple(createdAt, id)));

function byRating(isAscending: boolean): Order {
  return {
    by: 'half_stars',
    ...(isAscending && { isAscending }),
    valuesOf: (row) => [row.half_stars, ...newestFirst(row)],
    parts(reviews, { stars }, [first = isAscending ? 0 : HALF_STARS_MAX + 1, ...after] = []) {
      const all =
        stars === undefined ? Array.from({ length: HALF_STARS_MAX }, (_, index) => index + 1) : halfStarsOf(stars);
      const left = all.filter((halfStars) => (isAscending ? halfStars >= first : halfStars <= first));
      return left.map((halfStars) => {
        const part = reviews.where('half_stars', '=', halfStars);
        return halfStars === first ? olderThan(part, after) : part;
      });
    },
  };
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: {
    valuesOf: newestFirst,
    parts: (reviews, _, after) => [after ? olderThan(reviews, after) : reviews],
  },
  oldest: {
    isAscending: true,
    valuesOf: newestFirst,
    parts(reviews, _, after) {
      if (!after) return [reviews];
      const [createdAt = 0, id = 0] = after;
      // Reviews of the same moment are newest first too.
      return [
        reviews
          .where('created_at', '>=', createdAt)
          .where((row) => row.or([row('created_at', '>', createdAt), row('id', '<', id)])),
      ];
    },
  },
  highest: byRating(false),
  lowest: byRating(true),
  helpful: {
    by: 'helpful',
    valuesOf: (row) => [row.helpful, ...newestFirst(row)],
    parts(reviews, _, after) {
      // As literals: a partial index is used only if the query is known to select nothing else.
      const marked = reviews.where(sql<boolean>`helpful > 0`);
      const unmarked = reviews.where(sql<boolean>`helpful = 0`);
      if (!after) return [marked, unmarked];
      const [helpful = 0, createdAt = 0, id = 0] = after;
      if (helpful === 0) return [olderThan(unmarked, [createdAt, id])];
      return [
        marked.where((row) => row(row.refTuple('helpful', 'created_at', 'id'), '<', row.tuple(helpful, createdAt, id))),
        unmarked,
      ];
    },
  },
};

const inOrder = (part: Reviews, { by, isAscending }: Order, rows: number) =>
  part
    .select(REVIEW_COLUMNS)
    .$if(by !== undefined, (query) => query.orderBy(by as NonNullable<typeof by>, isAscending ? 'asc' : 'desc'))
    .orderBy('created_at', by === undefined && isAscending ? 'asc' : 'desc')
    .orderBy('id', 'desc')
    .limit(rows);

/** Merges the first rows of all parts in one statement, so that the page is consistent. */
function merge(db: Connection, parts: readonly Reviews[], order: Order, rows: number) {
  const [first, ...rest] = parts.map((part) => db.selectFrom(inOrder(part, order, rows).as('part')).selectAll());
  if (!first) return undefined;
  return rest
    .reduce((merged, part) => merged.unionAll(part), first)
    .orderBy(order.by as NonNullable<Order['by']>, order.isAscending ? 'asc' : 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rows);
}

function filter(all: Reviews, { stars, relation, since }: ReviewFilter): Reviews {
  let reviews = all;
  if (stars !== undefined) reviews = reviews.where('half_stars', 'in', halfStarsOf(stars));
  if (relation !== undefined) reviews = reviews.where('relation', '=', relation);
  if (since !== undefined) reviews = reviews.where('created_at', '>=', since);
  return reviews;
}

/** The order of a request. @throws a 400 for a cursor of another one */
function orderOf({ sort = 'newest', before }: ReviewListQuery): Order {
  const order = ORDERS[sort];
  const isOfOrder = before === undefined || before.split('-').length === (order.by === undefined ? 2 : 3);
  if (!isOfOrder) throw refusals.badInput('The cursor is one of another order of the list.', 'before');
  return order;
}

/** A page of an entry's reviews. @throws a 400 for a cursor of another order */
export async function listReviews(
  db: Connection,
  entryId: number,
  query: ReviewListQuery,
  wanted: ReviewFilter,
): Promise<Page<Review[]>> {
  const { sort = 'newest', limit, before } = query;
  const order = orderOf(query);
  const isPlain = sort === 'newest' && Object.values(wanted).every((value) => value === undefined);
  const { rows, next } = await readPage({ limit, before }, order.valuesOf, async ({ limit: amount, after }) => {
    if (isPlain) {
      const page = { entryId, rows: amount };
      const [createdAt, id] = after ?? [];
      return createdAt === undefined || id === undefined
        ? queryFirstPage(db, page)
        : queryNextPage(db, { ...page, createdAt, id });
    }
    const parts = order.parts(filter(visibleReviewsOf(db, entryId), wanted), wanted, after);
    const [only] = parts;
    if (only && parts.length === 1) return inOrder(only, order, amount).execute();
    return (await merge(db, parts, order, amount)?.execute()) ?? [];
  });
  return new Page(rows.map(reviewOf), next);
}

/**
 * A page of the reviews of all entries of a category at a school. Their ids are sorted within one index that has all
 * that a list is filtered and sorted by; only those of the page are read whole.
 * @throws a 400 for a cursor of another order
 */
export async function listCategoryReviews(
  db: Connection,
  { schoolId, kind }: { schoolId: number; kind: string },
  query: ReviewListQuery,
  wanted: ReviewFilter,
): Promise<Page<CategoryReview[]>> {
  const order = orderOf(query);
  const [column, ...others] = [...(order.by === undefined ? [] : [order.by]), 'created_at', 'id'].map((name) =>
    sql.ref(`reviews.${name}`),
  );
  const [direction, follows] = order.isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const inOrderOfAll = sql`${column} ${direction}, ${sql.join(others.map((other) => sql`${other} desc`))}`;
  const entryIds = currentEntries(db).select('id').where('school_id', '=', schoolId).where('kind', '=', kind);
  const all = filter(shownReviews(db).where('reviews.entry_id', 'in', entryIds), wanted);
  const { rows, next } = await readPage(query, order.valuesOf, ({ limit, after }) => {
    const [value, ...values] = after ?? [];
    const follow = sql<boolean>`(${column} ${follows} ${value}
      or (${column} = ${value} and (${sql.join(others)}) < (${sql.join(values)})))`;
    const page = all
      .select('reviews.id as pageId')
      .$if(after !== undefined, (reviews) => reviews.where(follow))
      .orderBy(inOrderOfAll)
      .limit(limit);
    return shownReviews(db)
      .innerJoin(page.as('page'), 'page.pageId', 'reviews.id')
      .innerJoin('entries', 'entries.id', 'reviews.entry_id')
      .select(REVIEW_COLUMNS.map((name) => `reviews.${name}` as const))
      .select(['entries.id as entryId', 'entries.name as entryName'])
      .orderBy(inOrderOfAll)
      .execute();
  });
  const reviews = rows.map((row) => ({ ...reviewOf(row), entryId: row.entryId, entryName: row.entryName }));
  return new Page(reviews, next);
}
