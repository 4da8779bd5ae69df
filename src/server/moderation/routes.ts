import { getNewestReviews } from '../../contract/moderation.ts';
import { linkToNext } from '../serve/paging.ts';
import type { Serve } from '../serve/serve.ts';
import { listNewestReviews } from './queries.ts';

/** Serves what admins look through for reviews that should not be there. */
export function serveModeration(serve: Serve): void {
  serve.read(getNewestReviews, async ({ db, query, reply }) => {
    const { rows, next } = await listNewestReviews(db, query);
    if (next) reply.header('Link', linkToNext(getNewestReviews, { query }, next));
    return rows;
  });
}
