import { CATEGORIES } from '../../../contract/categories.ts';
import { getRanking, leaderboardCall } from '../../../contract/leaderboard.ts';
import { tags } from '../../http/cache/tags.ts';
import type { Serve } from '../../http/serve/serve.ts';
import { listStandings, readRanking } from './queries.ts';

const ofCategory = (kind: string) => [tags.leaderboards, tags.leaderboard(kind)];

/** Serves the calls of spec §7, "Leaderboard", and the weighted ranking. */
export function serveLeaderboards(serve: Serve): void {
  for (const category of CATEGORIES) {
    serve.read(
      leaderboardCall(category),
      ({ db }) => listStandings(db, category),
      () => ofCategory(category.kind),
    );
  }

  serve.read(
    getRanking,
    ({ db, query }) => readRanking(db, query.category),
    ({ query }) => ofCategory(query.category),
  );
}
