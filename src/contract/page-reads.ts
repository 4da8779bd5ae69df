import type { AddressParts, Call } from './call.ts';
import { CATEGORIES, type Category, findCategory } from './categories.ts';
import { compareSchools, getSchoolSummary, type SchoolSummary } from './comparison.ts';
import { entryCalls } from './entries.ts';
import { getCategorySummary, getEntrySummary } from './entry-summary.ts';
import { getRanking, leaderboardCall } from './leaderboard.ts';
import { categoryPages, PAGES, type Page, type PageQuery } from './pages.ts';
import { getRemovals, getRemovalTotals } from './removals.ts';
import { getCategoryReviews, getReview, reviewCalls } from './reviews.ts';
import { FIRST_SCHOOL_COUNT, getSchool, listSchools } from './schools.ts';
import { getSchoolFigures, searchSchools } from './search.ts';
import { getEntryVoices, getSchoolVoices, getVoices } from './voices.ts';

/** A public call that a page makes as soon as it is opened. */
export interface PageRead<C extends Call = Call> {
  readonly call: C & { readonly access: 'everyone' };
  readonly parts: AddressParts;
  /** True for a paged list: the page reads its first page. */
  readonly isPaged: boolean;
  /**
   * Whether the read is of the subject of the page, so that its 404 is one of the page. A 404 of any other read only
   * leaves out a part of the page.
   */
  readonly isOfSubject: boolean;
  /** How the browser reads it, if not as it reads everything else. */
  readonly options?: { readonly retry: false };
}

/** The variable parts of an address: the id in its path (0 if there is none) and the known part of its query. */
export interface PageAddress {
  readonly id: number;
  readonly query: PageQuery;
}

type ListReads = (at: PageAddress) => readonly PageRead[];

/** How many schools one page of search results has. */
const FOUND_SCHOOLS_PER_PAGE = 50;

/** Describes a read, without sending it. */
const read = (call: PageRead['call'], parts: AddressParts = {}): PageRead => ({
  call,
  parts,
  isPaged: false,
  isOfSubject: false,
});
const readPages = (call: PageRead['call'], parts: AddressParts): PageRead => ({ ...read(call, parts), isPaged: true });
/** Marks a read of the subject of the page. */
const ofSubject = (one: PageRead): PageRead => ({ ...one, isOfSubject: true });

const ofId = (id: number) => ({ params: { id } });

/** The category in a leaderboard's address. Default: the first of the registry. */
export function chosenCategory({ category: kind }: PageQuery): Category {
  const chosen = findCategory(kind) ?? CATEGORIES[0];
  if (!chosen) throw new Error('The registry of categories is empty.');
  return chosen;
}

/** The call for a leaderboard: by plain means, or by weighted ones. */
export function leaderboardCallOf(query: PageQuery) {
  return query.order === 'weighted' ? getRanking : leaderboardCall(chosenCategory(query));
}

function readLeaderboard(query: PageQuery): PageRead {
  const call = leaderboardCallOf(query);
  const parts = call === getRanking ? { query: { category: chosenCategory(query).kind } } : {};
  // After a failure the page shows an empty list (spec §8) with a Retry button.
  return { ...read(call, parts), options: { retry: false } };
}

/** The ids of the compared schools in an address. */
export function comparedIds({ ids }: PageQuery): number[] {
  return ids ? ids.split(',').map(Number) : [];
}

function readComparison(query: PageQuery): PageRead[] {
  const ids = comparedIds(query);
  const [first, second] = ids;
  if (first === undefined) return [];
  if (second === undefined) return [ofSubject(read(getSchoolSummary, { params: { schoolId: first } }))];
  return [
    ofSubject(read(compareSchools, { query: { ids: query.ids } })),
    ...ids.map((schoolId) => read(getSchoolVoices, { params: { schoolId } })),
  ];
}

/** The filters of a list of reviews as its call takes them: the stars are a number. */
const filtersOf = ({ stars, ...query }: PageQuery) => ({ ...query, ...(stars && { stars: Number(stars) }) });

/** Without filters there is no query, so that the key in the query cache is the one of other pages. */
function filteredListParts(id: number, query: PageQuery): AddressParts {
  return Object.keys(query).length > 0 ? { ...ofId(id), query: filtersOf(query) } : ofId(id);
}

const summaryParts = (entryId: number, { relation }: PageQuery): AddressParts => ({
  params: { entryId },
  ...(relation && { query: { relation } }),
});

/** The query of a page of a school's reviews. Default for its category: the first one with reviews. */
export function withDefaultCategory(query: PageQuery, { categories }: SchoolSummary): PageQuery {
  const reviewed = categories.find(({ totalReviews }) => totalReviews > 0)?.category;
  return { category: chosenCategory({ category: reviewed ?? '' }).kind, ...query };
}

function readSchoolReviews({ id, query }: PageAddress): PageRead[] {
  const { category, relation } = query;
  if (category === undefined) return [ofSubject(read(getSchoolSummary, { params: { schoolId: id } }))];
  const parts = { params: { schoolId: id } };
  return [
    ofSubject(read(getSchool, ofId(id))),
    ofSubject(readPages(getCategoryReviews, { ...parts, query: { category, ...filtersOf(query) } })),
    read(getCategorySummary, { ...parts, query: { category, ...(relation && { relation }) } }),
  ];
}

function readsByCategoryPage(category: Category): [Page, ListReads][] {
  const pages = categoryPages(category);
  const entries = entryCalls(category);
  const reviews = reviewCalls(category);
  return [
    [
      pages.list,
      ({ id }) => {
        const parts = { params: { schoolId: id }, query: { category: category.kind } };
        return [
          ofSubject(read(getSchool, ofId(id))),
          ofSubject(read(entries.list, ofId(id))),
          read(getCategorySummary, parts),
          read(getEntryVoices, parts),
        ];
      },
    ],
    [pages.adminEntries, ({ id }) => [ofSubject(read(getSchool, ofId(id))), ofSubject(read(entries.list, ofId(id)))]],
    [pages.adminReviews, ({ id }) => [ofSubject(readPages(reviews.list, ofId(id))), read(entries.details, ofId(id))]],
    [
      pages.reviews,
      ({ id, query }) => [
        ofSubject(readPages(reviews.list, filteredListParts(id, query))),
        read(getEntrySummary, summaryParts(id, query)),
        ofSubject(read(reviews.averageRating, ofId(id))),
        ofSubject(read(reviews.totalReviews, ofId(id))),
        read(entries.details, ofId(id)),
        ofSubject(read(entries.nameLookup, ofId(id))),
      ],
    ],
  ];
}

/** Whether this query of the page of all schools is a search. */
export const isSearch = ({ q, country, minRating, order }: PageQuery) => Boolean(q ?? country ?? minRating ?? order);

/** The search of the page of all schools. */
export function readSearch({ q, country, minRating, order }: PageQuery): PageRead {
  const rating = minRating === undefined ? undefined : Number(minRating);
  const usedOrder = q === undefined ? order : undefined;
  return readPages(searchSchools, {
    query: { q, country, minRating: rating, order: usedOrder, limit: FOUND_SCHOOLS_PER_PAGE },
  });
}

/** How many schools there are, and in which countries. */
export const readFacets = (): PageRead => read(searchSchools, { query: { limit: 1 } });

const READS_BY_PAGE = new Map<Page, ListReads>([
  [PAGES.dashboard, () => [read(getVoices)]],
  [
    PAGES.allSchools,
    ({ query }) =>
      isSearch(query)
        ? [readSearch(query)]
        : [
            read(listSchools, { query: { limit: FIRST_SCHOOL_COUNT } }),
            ...[readFacets(), read(getSchoolFigures), read(getVoices)],
          ],
  ],
  [PAGES.review, ({ id }) => [ofSubject(read(getReview, { params: { reviewId: id } }))]],
  [
    PAGES.school,
    ({ id }) => [
      ofSubject(read(getSchool, ofId(id))),
      read(getSchoolSummary, { params: { schoolId: id } }),
      read(getSchoolVoices, { params: { schoolId: id } }),
    ],
  ],
  [PAGES.schoolReviews, readSchoolReviews],
  [PAGES.adminChooser, ({ id }) => [ofSubject(read(getSchool, ofId(id)))]],
  [PAGES.removals, () => [readPages(getRemovals, {}), read(getRemovalTotals)]],
  [PAGES.compare, ({ query }) => readComparison(query)],
  [PAGES.leaderboard, ({ query }) => [readLeaderboard(query)]],
  ...CATEGORIES.flatMap(readsByCategoryPage),
]);

/**
 * The public reads of a page. They are declared only here: the browser's loader and the server-rendered
 * document are derived from this list. Personal data is read by the page itself, later.
 */
export function readsOf(page: Page, at: PageAddress): readonly PageRead[] {
  return READS_BY_PAGE.get(page)?.(at) ?? [];
}
