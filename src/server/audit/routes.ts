import { getAdminActs, getAdminActTotal } from '../../contract/audit.ts';
import { linkToNext } from '../http/serve/link-to-next.ts';
import type { Serve } from '../http/serve/serve.ts';
import { countAuditEntries, listAuditEntries } from './queries.ts';

/** Serves the audit log. */
export function serveAudit(serve: Serve): void {
  serve.read(getAdminActs, async ({ db, query, reply }) => {
    const { rows, next } = await listAuditEntries(db, query);
    if (next) reply.header('Link', linkToNext(getAdminActs, { query }, next));
    return rows;
  });

  serve.read(getAdminActTotal, async ({ db, query }) => ({ total: await countAuditEntries(db, query) }));
}
