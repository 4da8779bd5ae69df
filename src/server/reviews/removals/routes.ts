import { CATEGORIES } from '../../../contract/categories.ts';
import { getRemovals, getRemovalTotals } from '../../../contract/removals.ts';
import { toWholeStars } from '../../../contract/stars.ts';
import { leaderboardTags, tags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { countByStars } from '../../visibility/count-queries.ts';
import { listRemovals } from './queries.ts';

const STARS = [1, 2, 3, 4, 5];

/** Serves the public list of hidden and restored reviews. */
export function serveRemovals(serve: Serve): void {
  serve.read(
    getRemovals,
    ({ db, query }) => listRemovals(db, query),
    () => [tags.removals],
  );

  serve.read(
    getRemovalTotals,
    async ({ db }) => {
      const { counted, hidden } = await countByStars(db);
      const sumOf = (amounts: readonly number[], stars: number) =>
        amounts.reduce((sum, amount, index) => (toWholeStars(index + 1) === stars ? sum + amount : sum), 0);
      return {
        stars: STARS.map((stars) => ({
          stars,
          posted: sumOf(counted, stars) + sumOf(hidden, stars),
          hidden: sumOf(hidden, stars),
        })),
      };
    },
    () => [tags.removals, ...leaderboardTags(...CATEGORIES.map(({ kind }) => kind))],
  );
}
