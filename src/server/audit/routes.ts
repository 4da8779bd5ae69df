import { getAdminActs } from '../../contract/audit.ts';
import { LIST_LIMIT_MAX } from '../../contract/fields.ts';
import type { Serve } from '../serve/serve.ts';
import { listAuditEntries } from './queries.ts';

/** Serves the trail of what admins have done. */
export function serveAudit(serve: Serve): void {
  serve.read(getAdminActs, async ({ db, query: { limit = LIST_LIMIT_MAX, ...filter }, reply }) => {
    // One more than asked for tells whether there is a next page.
    const entries = await listAuditEntries(db, limit + 1, filter);
    const last = entries.length > limit ? entries[limit - 1] : undefined;
    if (last) {
      const next = new URLSearchParams(
        Object.entries({ ...filter, limit, before: last.id }).map(([key, value]) => [key, String(value)]),
      );
      reply.header('Link', `<${getAdminActs.path}?${next}>; rel="next"`);
    }
    return entries.slice(0, limit);
  });
}
