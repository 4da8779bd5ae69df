import { getAdminActs, getAdminActTotal } from '../../contract/audit.ts';
import type { Serve } from '../http/serve/serve.ts';
import { countAuditEntries, listAuditEntries } from './queries.ts';

/** Serves the audit trail. */
export function serveAudit(serve: Serve): void {
  serve.read(getAdminActs, ({ db, query }) => listAuditEntries(db, query));

  serve.read(getAdminActTotal, async ({ db, query }) => ({ total: await countAuditEntries(db, query) }));
}
