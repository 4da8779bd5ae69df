import { CATEGORIES } from '../src/contract/categories.ts';
import { COMPARED_MAX, categoryPages, PAGES, type Page, type PageQuery, pageAddress } from '../src/contract/pages.ts';
import { visibleReviews } from '../src/server/visibility/queries.ts';
import { withDatabase } from '../tests/support/with-database.ts';
import type { Store } from './data.ts';
import type { Options } from './options.ts';

/** A page that everyone may open, at one of its addresses. */
export interface VisitedPage {
  /** Its path without ids, and its query if it has one: the same in every run. */
  readonly name: string;
  readonly address: string;
}

const ALL_PAGES: readonly Page[] = [
  ...Object.values(PAGES),
  ...CATEGORIES.flatMap((one) => Object.values(categoryPages(one))),
];
const VISITED = ALL_PAGES.filter(({ guard }) => !guard);

/** The paths of the visited pages, by which `--only` names them. */
export const VISITED_PATHS = VISITED.map(({ path }) => path);

/**
 * Every public page: of the school with the most reviewed entry, of that school's most reviewed entries, and of a review
 * there. Some also with a query, which makes them show something else.
 */
export async function readVisitedPages(store: Store, { only }: Options): Promise<VisitedPage[]> {
  return withDatabase(store.address, async (database) => {
    const rows = await database.read
      .selectFrom('review_counts')
      .select(['entry_id as id', 'kind', 'school_id'])
      .orderBy('review_count', 'desc')
      .orderBy('id')
      .execute();
    const [first] = rows;
    const review = await visibleReviews(database.read)
      .select('reviews.id')
      .where('reviews.entry_id', '=', first?.id ?? 0)
      .orderBy('reviews.id')
      .executeTakeFirst();
    const idOf = ({ about, category }: Page) => {
      if (about === 'school') return first?.school_id;
      if (about === 'review') return review?.id;
      return rows.find(({ kind, school_id }) => kind === category?.kind && school_id === first?.school_id)?.id;
    };
    const schools = [...new Set(rows.map(({ school_id }) => school_id))].slice(0, COMPARED_MAX);
    const queries = new Map<Page, PageQuery[]>([
      [PAGES.allSchools, [{}, { q: 'university' }]],
      [PAGES.leaderboard, [{}, { order: 'weighted' }]],
      [PAGES.compare, [{ ids: schools.join() }]],
    ]);
    return VISITED.filter(({ path }) => only.length === 0 || only.includes(path)).flatMap((page) =>
      (queries.get(page) ?? [{}]).map((query) => ({
        name: pageAddress(page, undefined, query),
        address: pageAddress(page, page.about && idOf(page), query),
      })),
    );
  });
}
