import { CATEGORIES } from '../../../contract/categories.ts';
import { foldAccents, foldSearch } from '../../../contract/folding.ts';
import { searchSchools } from '../../../contract/search.ts';
import { OFFERED_RATINGS } from '../../../contract/stars.ts';
import type { Tag } from '../../database/change-tags.ts';
import { Page } from '../../database/paging.ts';
import { tags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import type { SchoolSearchIndex } from './school-search.ts';

const LIMIT = 20;

/** Every review can change which schools have a high enough rating. */
const RATING_TAGS: readonly Tag[] = [tags.leaderboards, ...CATEGORIES.map(({ kind }) => tags.leaderboard(kind))];

/** The folded text of a search; undefined when nothing is left to search for. */
const foldText = (q = '') => foldSearch(q) || undefined;

/** The form in which equal searches are the same: they share a response, and with it the link to the next page. */
function foldQuery<Query extends { q?: string; country?: string }>({ q, country, ...rest }: Query) {
  const text = foldText(q);
  return { ...rest, ...(text && { q: text }), ...(country && { country: foldAccents(country) }) };
}

/** Serves the search of schools. */
export function serveSearch(serve: Serve, { search }: { search: SchoolSearchIndex }): void {
  serve.read(
    searchSchools,
    async ({ query }) => {
      const { q, country, minRating, limit = LIMIT, before = '0' } = query;
      const offset = Number(before);
      const answer = await search.search({ text: foldText(q), country, minRating, limit, offset });
      const next = offset + limit;
      return new Page(answer, next < answer.total ? String(next) : undefined);
    },
    ({ query: { minRating } }, { schools }) => [
      tags.schools,
      ...schools.map(({ id }) => tags.reviewsAt(id)),
      ...(minRating === undefined ? [] : RATING_TAGS),
    ],
    {
      keyOf: foldQuery,
      isCached: ({ minRating }) => minRating === undefined || OFFERED_RATINGS.includes(minRating),
    },
  );
}
