import { callAddress } from '../../contract/call.ts';
import { LIST_LIMIT_MAX } from '../../contract/fields.ts';
import { getNewestReviews } from '../../contract/moderation.ts';
import { linkToNext, readCursor } from '../reviews/cursor.ts';
import type { Serve } from '../serve/serve.ts';
import { listNewestReviews } from './queries.ts';

/** Serves what admins look through for reviews that should not be there. */
export function serveModeration(serve: Serve): void {
  serve.read(getNewestReviews, async ({ db, query: { limit = LIST_LIMIT_MAX, before }, reply }) => {
    const { reviews, next } = await listNewestReviews(db, { limit, before: readCursor(before) });
    if (next) reply.header('Link', linkToNext(callAddress(getNewestReviews), limit, next));
    return reviews;
  });
}
