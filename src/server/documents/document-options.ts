import type { ProposalMode } from '../../contract/proposals.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { Maintenance } from '../http/maintenance.ts';
import type { PublicReads } from '../http/serve/public-reads.ts';

export interface DocumentOptions {
  readonly database: Database;
  readonly cache: ResponseCache;
  readonly reads: PublicReads;
  /** The folder of the built pages. */
  readonly clientDir: string;
  readonly siteName: string;
  readonly supportEmail: string;
  readonly proposals: ProposalMode;
  /** PUBLIC_URL. If it is not set, the address that the server listens on is used. */
  readonly configuredUrl: URL | undefined;
  /** Makes the absolute address of a path. */
  readonly publicUrl: (path: string) => string;
  readonly now: () => Milliseconds;
  readonly maintenance: Pick<Maintenance, 'isReadOnly'>;
}
