import { CATEGORIES } from '../../contract/categories.ts';
import { leaderboardCall } from '../../contract/leaderboard.ts';
import { tags } from '../cache/tags.ts';
import type { Database } from '../database/database.ts';
import type { Serve } from '../http/router.ts';
import { listStandings } from './queries.ts';

/** Serves the calls of spec §7, "Leaderboard". */
export function serveLeaderboards(serve: Serve, database: Database): void {
  for (const category of CATEGORIES) {
    serve.kept(
      leaderboardCall(category),
      () => listStandings(database.readShared(), category),
      () => [tags.leaderboards, tags.leaderboard(category.kind)],
    );
  }
}
