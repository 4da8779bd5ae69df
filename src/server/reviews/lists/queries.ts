import { type AliasedExpression, type SelectQueryBuilder, sql } from 'kysely';
import type { Sort } from '../../../contract/review-filters.ts';
import type { CategoryReview, Review, ReviewListQuery } from '../../../contract/reviews.ts';
import { halfStarsOf } from '../../../contract/stars.ts';
import type { Connection } from '../../database/database.ts';
import { Page, type PagePosition, readPage } from '../../database/paging.ts';
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

/** The reviews from which a page is selected. */
type Reviews = SelectQueryBuilder<Tables, 'reviews', object>;

/** The filter of a list of reviews. */
interface ReviewFilter extends Pick<ReviewListQuery, 'stars' | 'relation'> {
  /** Reviews posted at this time or later. */
  since: Milliseconds | undefined;
}

/** An order of the list. Reviews that are equal in the first column are newest first. */
interface Order {
  readonly columns: readonly (keyof SortedRow)[];
  /** Of the first column. */
  readonly isAscending?: true;
}

const ORDERS: Readonly<Record<Sort, Order>> = {
  newest: { columns: ['created_at', 'id'] },
  oldest: { columns: ['created_at', 'id'], isAscending: true },
  highest: { columns: ['half_stars', 'created_at', 'id'] },
  lowest: { columns: ['half_stars', 'created_at', 'id'], isAscending: true },
  helpful: { columns: ['helpful', 'created_at', 'id'] },
};

/** The order of a request. @throws a 400 for a cursor of another one */
function orderOf({ sort = 'newest', before }: ReviewListQuery): Order {
  const order = ORDERS[sort];
  const isOfOrder = before === undefined || before.split('-').length === order.columns.length;
  if (!isOfOrder) throw refusals.badInput('The cursor is one of another order of the list.', 'before');
  return order;
}

function filter(all: Reviews, { stars, relation, since }: ReviewFilter): Reviews {
  let reviews = all;
  if (stars !== undefined) reviews = reviews.where('half_stars', 'in', halfStarsOf(stars));
  if (relation !== undefined) reviews = reviews.where('relation', '=', relation);
  if (since !== undefined) reviews = reviews.where('created_at', '>=', since);
  return reviews;
}

/**
 * Selects a page in one statement. The ids are filtered and sorted within a covering index; only the reviews of the page
 * are read from the table.
 * @param parts the list in one or more parts, each of which one index covers
 */
function selectInOrder(
  db: Connection,
  parts: readonly [Reviews, ...Reviews[]],
  { columns, isAscending }: Order,
  { limit, after }: PagePosition,
) {
  const [column, ...then] = columns.map((name) => sql.ref(`reviews.${name}`));
  const [direction, follows] = isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const inOrder = sql`${column} ${direction}, ${sql.join(then.map((next) => sql`${next} desc`))}`;
  const [value, ...values] = after ?? [];
  // The first condition is implied by the second, but lets the index begin at the cursor.
  const follow = sql<boolean>`${column} ${follows}= ${value} and (${column} ${follows} ${value}
    or (${sql.join(then)}) < (${sql.join(values)}))`;
  const idsOf = (part: Reviews) =>
    part
      .select('reviews.id as pageId')
      .$if(after !== undefined, (reviews) => reviews.where(follow))
      .orderBy(inOrder)
      .limit(limit);
  const [part, ...others] = parts;
  const page: AliasedExpression<{ pageId: number }, 'page'> =
    others.length === 0
      ? idsOf(part).as('page')
      : others
          .reduce(
            (merged, other) => merged.unionAll(db.selectFrom(idsOf(other).as('part')).select('pageId')),
            db.selectFrom(idsOf(part).as('part')).select('pageId'),
          )
          .as('page');
  return shownReviews(db)
    .innerJoin(page, 'page.pageId', 'reviews.id')
    .select(REVIEW_COLUMNS.map((name) => `reviews.${name}` as const))
    .orderBy(inOrder)
    .limit(limit);
}

/**
 * The reviews with helpful marks, which have an index of their own, and the others. With literals, because a partial index
 * is used only if the query text implies its condition.
 */
const byMarks = (reviews: Reviews): readonly [Reviews, Reviews] => [
  reviews.where(sql<boolean>`helpful > 0`),
  reviews.where(sql<boolean>`helpful = 0`),
];

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
  const { rows, next } = await readPage({ limit, before }, valuesOf(order), async ({ limit: amount, after }) => {
    if (isPlain) {
      const page = { entryId, rows: amount };
      const [createdAt, id] = after ?? [];
      return createdAt === undefined || id === undefined
        ? queryFirstPage(db, page)
        : queryNextPage(db, { ...page, createdAt, id });
    }
    const reviews = filter(visibleReviewsOf(db, entryId), wanted);
    const parts = sort === 'helpful' ? byMarks(reviews) : ([reviews] as const);
    return selectInOrder(db, parts, order, { limit: amount, after }).execute();
  });
  return new Page(rows.map(reviewOf), next);
}

const valuesOf =
  ({ columns }: Order) =>
  (row: SortedRow) =>
    columns.map((column) => row[column]);

/**
 * A page of the reviews of all entries of a category at a school.
 * @throws a 400 for a cursor of another order
 */
export async function listCategoryReviews(
  db: Connection,
  { schoolId, kind }: { schoolId: number; kind: string },
  query: ReviewListQuery,
  wanted: ReviewFilter,
): Promise<Page<CategoryReview[]>> {
  const order = orderOf(query);
  const entryIds = currentEntries(db).select('id').where('school_id', '=', schoolId).where('kind', '=', kind);
  const all = filter(shownReviews(db).where('reviews.entry_id', 'in', entryIds), wanted);
  const { rows, next } = await readPage(query, valuesOf(order), (position) =>
    selectInOrder(db, [all], order, position)
      .innerJoin('entries', 'entries.id', 'reviews.entry_id')
      .select(['entries.id as entryId', 'entries.name as entryName'])
      .execute(),
  );
  const reviews = rows.map((row) => ({ ...reviewOf(row), entryId: row.entryId, entryName: row.entryName }));
  return new Page(reviews, next);
}
