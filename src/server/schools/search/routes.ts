import { CATEGORIES } from '../../../contract/categories.ts';
import { foldAccents, foldSearch } from '../../../contract/folding.ts';
import { getSchoolFigures, getSchoolTotals, type SchoolOrder, searchSchools } from '../../../contract/search.ts';
import { OFFERED_MIN_RATINGS } from '../../../contract/stars.ts';
import type { Tag } from '../../database/change-tags.ts';
import { Page } from '../../database/paging.ts';
import { leaderboardTags, tags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import type { SchoolSearchIndex } from './school-search.ts';

const LIMIT = 20;

/** Every review can change which schools have a high enough rating, and which have the most reviews. */
const RATING_TAGS = leaderboardTags(...CATEGORIES.map(({ kind }) => kind));

/** The folded text of a search; undefined when nothing is left to search for. */
const foldText = (q = '') => foldSearch(q) || undefined;

/** Normalises a search, so that equal ones share a cached response and its link to the next page. */
function foldQuery<Query extends { q?: string; country?: string; order?: SchoolOrder }>(query: Query) {
  const { q, country, order, ...rest } = query;
  const text = foldText(q);
  return {
    ...rest,
    ...(text && { q: text }),
    ...(country && { country: foldAccents(country) }),
    ...(isByReviews(query) && { order }),
  };
}

const isByReviews = ({ q, order }: { q?: string; order?: SchoolOrder }) => order === 'reviewed' && !foldText(q);

/** A new review can be missing for a minute; what is removed is invalidated at once. */
const FIGURE_TAGS: readonly Tag[] = [tags.thisMinute, tags.schools, tags.addresses, tags.removals];

/** Serves the search of schools, and the figures of all of them. */
export function serveSearch(serve: Serve, { search }: { search: SchoolSearchIndex }): void {
  serve.read(
    searchSchools,
    async ({ query }) => {
      const { q, country, minRating, order, limit = LIMIT, before = '0' } = query;
      const offset = Number(before);
      const answer = await search.search({ text: foldText(q), country, minRating, order, limit, offset });
      const next = offset + limit;
      return new Page(answer, next < answer.total ? String(next) : undefined);
    },
    ({ query }, { schools }) => [
      tags.schools,
      ...schools.map(({ id }) => tags.reviewsAt(id)),
      ...(query.minRating !== undefined || isByReviews(query) ? RATING_TAGS : []),
    ],
    {
      keyOf: foldQuery,
      isCached: ({ minRating }) => minRating === undefined || OFFERED_MIN_RATINGS.includes(minRating),
    },
  );

  serve.read(
    getSchoolFigures,
    async () => (await search.readFigures()).figures,
    () => FIGURE_TAGS,
  );

  serve.read(
    getSchoolTotals,
    async () => {
      const { schools, figures } = await search.readFigures();
      return { schools, reviewed: figures.length };
    },
    () => FIGURE_TAGS,
  );
}
