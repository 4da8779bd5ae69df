import { CATEGORIES } from '../../contract/categories.ts';
import { leaderboardCall } from '../../contract/leaderboard.ts';
import { tags } from '../cache/tags.ts';
import type { Serve } from '../serve/serve.ts';
import { listStandings } from './queries.ts';

/** Serves the calls of spec §7, "Leaderboard". */
export function serveLeaderboards(serve: Serve): void {
  for (const category of CATEGORIES) {
    serve.read(
      leaderboardCall(category),
      ({ db }) => listStandings(db, category),
      () => [tags.leaderboards, tags.leaderboard(category.kind)],
    );
  }
}
