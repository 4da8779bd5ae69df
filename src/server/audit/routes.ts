import { getAdminActs } from '../../contract/audit.ts';
import { LIST_LIMIT_MAX } from '../../contract/fields.ts';
import type { Serve } from '../http/router.ts';
import { listActs } from './queries.ts';

/** Serves the trail of what admins have done. */
export function serveAudit(serve: Serve): void {
  serve.read(getAdminActs, async ({ db, query: { limit = LIST_LIMIT_MAX, before }, reply }) => {
    // One more than asked for tells whether there is a next page.
    const acts = await listActs(db, limit + 1, before);
    const last = acts.length > limit ? acts[limit - 1] : undefined;
    if (last) {
      reply.header('Link', `<${getAdminActs.path}?limit=${limit}&before=${last.id}>; rel="next"`);
    }
    return acts.slice(0, limit);
  });
}
