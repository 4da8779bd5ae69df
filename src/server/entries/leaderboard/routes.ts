import { CATEGORIES } from '../../../contract/categories.ts';
import { getRanking, leaderboardCall } from '../../../contract/leaderboard.ts';
import { type Connection, together } from '../../database/database.ts';
import { tags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { tallyBeingChecked } from '../../visibility/checked-queries.ts';
import { listStandings, rankSchools } from './ranking.ts';
import type { CategoryTallies } from './tallies.ts';

const ofCategory = (kind: string) => [tags.leaderboards, tags.leaderboard(kind)];

/** Serves the calls of spec §7, "Leaderboard", and the weighted ranking. */
export function serveLeaderboards(serve: Serve, { tallies }: { tallies: CategoryTallies }): void {
  async function tally({ db, isPastCache }: { db: Connection; isPastCache: boolean }, kind: string) {
    const [checked, all] = await together([tallyBeingChecked(db, kind), tallies.read(db, kind, !isPastCache)]);
    return { tallies: all, checked };
  }

  for (const category of CATEGORIES) {
    serve.read(
      leaderboardCall(category),
      async (request) => listStandings(await tally(request, category.kind)),
      () => ofCategory(category.kind),
    );
  }

  serve.read(
    getRanking,
    async ({ query, ...request }) => rankSchools(query.category, await tally(request, query.category)),
    ({ query }) => ofCategory(query.category),
  );
}
