import { CATEGORIES } from '../../contract/categories.ts';
import { foldAccents } from '../../contract/folding.ts';
import { searchSchools } from '../../contract/search.ts';
import { OFFERED_RATINGS } from '../../contract/stars.ts';
import { tags } from '../cache/tags.ts';
import type { Tag } from '../database/change-tags.ts';
import { linkToNext } from '../serve/paging.ts';
import type { Serve } from '../serve/serve.ts';
import type { SchoolSearchIndex } from './school-search.ts';
import { readSearchText } from './school-terms.ts';

const LIMIT = 20;
/** Texts are without number: others' responses are not pushed out for them. */
const COPIES_MAX = 2_000;

/** Which schools have a rating that is high enough can change with every review. */
const RATING_TAGS: readonly Tag[] = [tags.leaderboards, ...CATEGORIES.map(({ kind }) => tags.leaderboard(kind))];

/** Serves the search of schools. */
export function serveSearch(serve: Serve, index: SchoolSearchIndex): void {
  serve.read(
    searchSchools,
    async ({ query, setLink }) => {
      const { q, country, minRating, limit = LIMIT, before = '0' } = query;
      const offset = Number(before);
      const answer = await index.search({ text: readSearchText(q), country, minRating, limit, offset });
      const next = offset + limit;
      if (next < answer.total) setLink(linkToNext(searchSchools, { query }, String(next)));
      return answer;
    },
    ({ query: { minRating } }, { schools }) => [
      tags.schools,
      ...schools.map(({ id }) => tags.reviewsAt(id)),
      ...(minRating === undefined ? [] : RATING_TAGS),
    ],
    {
      // Spelled alike they are found alike.
      keyOf: ({ q, country, ...rest }) => {
        const text = readSearchText(q);
        return { ...rest, ...(text && { q: text }), ...(country && { country: foldAccents(country) }) };
      },
      copiesMax: COPIES_MAX,
      isCached: ({ minRating }) => minRating === undefined || OFFERED_RATINGS.includes(minRating),
    },
  );
}
