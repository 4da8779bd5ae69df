import { type AliasedExpression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Sort } from '../../../contract/review-filters.ts';
import type { CategoryReview, Review, ReviewListQuery } from '../../../contract/reviews.ts';
import { halfStarsOf } from '../../../contract/stars.ts';
import { type Connection, isPostgres } from '../../database/database.ts';
import { Page, type PagePosition, readPage } from '../../database/paging.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import type { EntryKey } from '../../database/review-tables.ts';
import type { Milliseconds, Tables } from '../../database/tables.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { currentEntries, entryColumns, shownReviews, visibleReviewsOf } from '../../visibility/queries.ts';
import { REVIEW_COLUMNS, type ReviewRow, reviewOf } from '../review-rows.ts';

interface PageOfEntry extends EntryKey {
  rows: number;
}

const queryFirstPage = prepareQuery((db, param: Param<PageOfEntry>) => newestReviews(db, param));

const queryNextPage = prepareQuery((db, param: Param<PageOfEntry & { createdAt: Milliseconds; reviewId: number }>) =>
  newestReviews(db, param).where((row) =>
    row(row.refTuple('created_at', 'id'), '<', row.tuple(param('createdAt'), param('reviewId'))),
  ),
);

function newestReviews(db: Connection, param: Param<PageOfEntry>) {
  return visibleReviewsOf(db, { id: param('id'), schoolId: param('schoolId') })
    .select(REVIEW_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('rows'));
}

type SortedRow = Pick<ReviewRow, 'id' | 'created_at' | 'half_stars' | 'helpful'>;

/** The values of a review in the cursor of a list that is sorted by time, newest first. */
export const cursorValuesOf = (row: Pick<SortedRow, 'created_at' | 'id'>) => [row.created_at, row.id] as const;

/** The reviews from which a page is selected. */
type ReviewSelection = SelectQueryBuilder<Tables, 'reviews', object>;

/** The filter of a list of reviews. */
interface ReviewFilter extends Pick<ReviewListQuery, 'stars' | 'relation'> {
  /** Reviews posted at this time or later. */
  since: Milliseconds | undefined;
}

/** An order of the list. Reviews that are equal in the first column are newest first. */
interface Order {
  readonly columns: readonly (keyof SortedRow)[];
  /** Whether the first column ascends. The others never do. */
  readonly isAscending?: true;
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: { columns: ['created_at', 'id'] },
  oldest: { columns: ['created_at', 'id'], isAscending: true },
  highest: { columns: ['half_stars', 'created_at', 'id'] },
  lowest: { columns: ['half_stars', 'created_at', 'id'], isAscending: true },
  helpful: { columns: ['helpful', 'created_at', 'id'] },
};

/** The order of a request. @throws a 400 for a cursor with another number of values than the order has columns */
function orderOf({ sort = 'newest', before }: ReviewListQuery): Order {
  const order = ORDERS[sort];
  const isOfOrder = before === undefined || before.split('-').length === order.columns.length;
  if (!isOfOrder) throw refusals.badInput('The cursor is one of another order of the list.', 'before');
  return order;
}

function filter(all: ReviewSelection, { stars, relation, since }: ReviewFilter): ReviewSelection {
  let reviews = all;
  if (stars !== undefined) reviews = reviews.where('half_stars', 'in', halfStarsOf(stars));
  if (relation !== undefined) reviews = reviews.where('relation', '=', relation);
  if (since !== undefined) reviews = reviews.where('created_at', '>=', since);
  return reviews;
}

/** The terms of an `order by`, and the condition for rows after the last one of the previous page. */
function orderTerms({ columns, isAscending }: Order, after: PagePosition['after'] = [], prefix = '') {
  const [column, ...then] = columns.map((name) => sql.ref(`${prefix}${name}`));
  const [direction, operator] = isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const [value, ...values] = after;
  return {
    inOrder: sql`${column} ${direction}, ${sql.join(then.map((next) => sql`${next} desc`))}`,
    // The first condition is implied by the second, but lets the index begin at the cursor.
    isAfter: sql<boolean>`${column} ${operator}= ${value} and (${column} ${operator} ${value}
      or (${sql.join(then)}) < (${sql.join(values)}))`,
  };
}

/** Selects the ids of a page of reviews, which are filtered and sorted within an index. */
function selectIds(reviews: ReviewSelection, order: Order, { limit, after }: PagePosition) {
  const { inOrder, isAfter } = orderTerms(order, after);
  return reviews
    .select(['id as pageId', 'school_id as pageSchoolId'])
    .$if(after !== undefined, (rest) => rest.where(isAfter))
    .orderBy(inOrder)
    .limit(limit);
}

type PageIds = AliasedExpression<{ pageId: number; pageSchoolId: number }, 'page'>;

/**
 * The ids of a page of an entry's reviews. By helpful marks there are up to twice as many, because reviews with marks
 * have an index of their own. Literals stand in the conditions: a partial index is used only if the query text implies
 * its condition.
 */
function selectPageIds(db: Connection, reviews: ReviewSelection, sort: Sort, position: PagePosition): PageIds {
  const idsWhere = (condition: RawBuilder<boolean>) =>
    db
      .selectFrom(selectIds(reviews.where(condition), ORDERS[sort], position).as('part'))
      .select(['pageId', 'pageSchoolId']);
  if (sort !== 'helpful') return selectIds(reviews, ORDERS[sort], position).as('page');
  return idsWhere(sql`helpful > 0`).unionAll(idsWhere(sql`helpful = 0`)).as('page');
}

/** Selects the reviews of a page, so that no others are read from the table. @param page their ids, or some more */
function selectReviews(db: Connection, page: PageIds, order: Order, { limit }: PagePosition) {
  return shownReviews(db)
    .innerJoin(page, (join) =>
      join.onRef('page.pageId', '=', 'reviews.id').onRef('page.pageSchoolId', '=', 'reviews.school_id'),
    )
    .select(REVIEW_COLUMNS.map((name) => `reviews.${name}` as const))
    .orderBy(orderTerms(order, undefined, 'reviews.').inOrder)
    .limit(limit);
}

/** A page of an entry's reviews. @throws a 400 for a cursor that does not fit the order */
export async function listReviews(
  db: Connection,
  { id: entryId, schoolId }: EntryKey,
  query: ReviewListQuery,
  filters: ReviewFilter,
): Promise<Page<Review[]>> {
  const { sort = 'newest', limit, before } = query;
  const order = orderOf(query);
  const isPlain = sort === 'newest' && Object.values(filters).every((value) => value === undefined);
  const { rows, next } = await readPage({ limit, before }, cursorValuesIn(order), async (position) => {
    if (isPlain) {
      const page = { id: entryId, schoolId, rows: position.limit };
      const [createdAt, reviewId] = position.after ?? [];
      return createdAt === undefined || reviewId === undefined
        ? queryFirstPage(db, page)
        : queryNextPage(db, { ...page, createdAt, reviewId });
    }
    const ids = selectPageIds(db, filter(visibleReviewsOf(db, { id: entryId, schoolId }), filters), sort, position);
    return selectReviews(db, ids, order, position).execute();
  });
  return new Page(rows.map(reviewOf), next);
}

const cursorValuesIn =
  ({ columns }: Order) =>
  (row: SortedRow) =>
    columns.map((column) => row[column]);

/**
 * A page of the reviews of all entries of a category at a school.
 * @throws a 400 for a cursor that does not fit the order
 */
export async function listCategoryReviews(
  db: Connection,
  { schoolId, kind }: { schoolId: number; kind: string },
  query: ReviewListQuery,
  filters: ReviewFilter,
): Promise<Page<CategoryReview[]>> {
  const { sort = 'newest' } = query;
  const order = orderOf(query);
  const entries = currentEntries(db)
    .where('entries.school_id', '=', schoolId)
    .where('entries.kind', '=', kind)
    .select(['id', 'school_id', 'name']);
  const { rows, next } = await readPage(query, cursorValuesIn(order), (position) => {
    const reviewsOfEntry = filter(visibleReviewsOf(db, entryColumns('entries.id', 'entries.school_id')), filters);
    const ids = db.selectFrom(selectPageIds(db, reviewsOfEntry, sort, position)).select('pageId');
    return (
      shownReviews(db)
        // Each entry's own page, so that no others of its reviews are read. With a condition on the entry SQLite would
        // read them all, and PostgreSQL would not use its index for `in`.
        .innerJoin(entries.as('entries'), 'entries.school_id', 'reviews.school_id')
        .where(isPostgres(db) ? sql<boolean>`reviews.id = any(array(${ids}))` : sql<boolean>`reviews.id in (${ids})`)
        .select(REVIEW_COLUMNS.map((name) => `reviews.${name}` as const))
        .select(['entries.id as entryId', 'entries.name as entryName'])
        .orderBy(orderTerms(order, undefined, 'reviews.').inOrder)
        .limit(position.limit)
        .execute()
    );
  });
  const reviews = rows.map((row) => ({ ...reviewOf(row), entryId: row.entryId, entryName: row.entryName }));
  return new Page(reviews, next);
}
