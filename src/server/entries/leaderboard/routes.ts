import { CATEGORIES } from '../../../contract/categories.ts';
import { getRanking, leaderboardCall } from '../../../contract/leaderboard.ts';
import { leaderboardTags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { listStandings, rankSchools } from './ranking.ts';
import type { TallyCache } from './tallies.ts';

/** Serves the calls of spec §7, "Leaderboard", and the weighted ranking. */
export function serveLeaderboards(serve: Serve, { tallies }: { tallies: TallyCache }): void {
  for (const category of CATEGORIES) {
    serve.read(
      leaderboardCall(category),
      async ({ db, mayUseCache }) => listStandings(await tallies.read(db, category.kind, mayUseCache)),
      () => leaderboardTags(category.kind),
    );
  }

  serve.read(
    getRanking,
    async ({ db, mayUseCache, query: { category } }) =>
      rankSchools(category, await tallies.read(db, category, mayUseCache)),
    ({ query }) => leaderboardTags(query.category),
  );
}
