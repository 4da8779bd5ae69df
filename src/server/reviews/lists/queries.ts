import { type AliasedExpression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Sort } from '../../../contract/review-filters.ts';
import type { CategoryReview, Review, ReviewListQuery } from '../../../contract/reviews.ts';
import { halfStarsOf } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { Page, type PagePosition, readPage } from '../../database/paging.ts';
import { type Param, prepareQuery } from '../../database/prepared-query.ts';
import { type EntryKey, onSameSchool } from '../../database/review-tables.ts';
import type { Milliseconds, Tables } from '../../database/tables.ts';
import { refusals } from '../../http/refusals/refusals.ts';
import { currentEntries, shownReviews, visibleReviewsOf } from '../../visibility/queries.ts';
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
function selectIds<DB, From extends keyof DB>(
  reviews: SelectQueryBuilder<DB, From, object>,
  order: Order,
  { limit, after }: PagePosition,
) {
  const { inOrder, isAfter } = orderTerms(order, after);
  return reviews
    .select([sql<number>`${sql.ref('id')}`.as('pageId'), sql<number>`${sql.ref('school_id')}`.as('pageSchoolId')])
    .$if(after !== undefined, (rest) => rest.where(isAfter))
    .orderBy(inOrder)
    .limit(limit);
}

/**
 * Like `selectIds`, by helpful marks: up to twice as many ids, because reviews with marks have an index of their own.
 * Literals stand in the conditions: a partial index is used only if the query text implies its condition.
 */
function selectIdsByMarks(db: Connection, reviews: ReviewSelection, order: Order, position: PagePosition) {
  const idsWhere = (condition: RawBuilder<boolean>) =>
    db.selectFrom(selectIds(reviews.where(condition), order, position).as('part')).select(['pageId', 'pageSchoolId']);
  return idsWhere(sql`helpful > 0`).unionAll(idsWhere(sql`helpful = 0`));
}

/** Selects the reviews of a page, so that no others are read from the table. @param page their ids, or some more */
function selectReviews(
  db: Connection,
  page: AliasedExpression<{ pageId: number; pageSchoolId: number }, 'page'>,
  order: Order,
  { limit }: PagePosition,
) {
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
    const reviews = filter(visibleReviewsOf(db, { id: entryId, schoolId }), filters);
    const ids =
      sort === 'helpful' ? selectIdsByMarks(db, reviews, order, position) : selectIds(reviews, order, position);
    return selectReviews(db, ids.as('page'), order, position).execute();
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
  const order = orderOf(query);
  const entryIds = currentEntries(db).select('id').where('school_id', '=', schoolId).where('kind', '=', kind);
  const ofSchool = shownReviews(db).where('reviews.entry_id', 'in', entryIds).where('reviews.school_id', '=', schoolId);
  const all = filter(ofSchool, filters);
  // Materialized: otherwise PostgreSQL reads the reviews of all schools in the order of the list, to find these ones.
  const found = db
    .with(
      (cte) => cte('found').materialized(),
      () => all.select(['id', 'school_id', 'created_at', 'half_stars', 'helpful']),
    )
    .selectFrom('found');
  const { rows, next } = await readPage(query, cursorValuesIn(order), (position) =>
    selectReviews(db, selectIds(found, order, position).as('page'), order, position)
      .innerJoin('entries', onSameSchool('entries.id', 'reviews.entry_id'))
      .select(['entries.id as entryId', 'entries.name as entryName'])
      .execute(),
  );
  const reviews = rows.map((row) => ({ ...reviewOf(row), entryId: row.entryId, entryName: row.entryName }));
  return new Page(reviews, next);
}
