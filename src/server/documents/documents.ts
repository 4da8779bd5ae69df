import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Page } from '../../contract/pages.ts';
import type { ProposalMode } from '../../contract/proposals.ts';
import type { Database } from '../database/database.ts';
import type { Milliseconds } from '../database/tables.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import type { Maintenance } from '../http/maintenance.ts';
import type { PublicReads } from '../http/serve/public-reads.ts';
import { findSchoolRating } from '../visibility/count-queries.ts';
import { serveDocs } from './docs.ts';
import { serveFeeds } from './feeds.ts';
import { createHeads } from './heads.ts';
import { servePages } from './pages.ts';
import { findPageSuccessor } from './queries.ts';
import { openRenderer } from './renderer.ts';
import { serveSitemap } from './sitemap.ts';
import { serveWellKnown } from './well-known.ts';

/** Relative to the folder of the built pages. */
const RENDERER_FILE = '../renderer/entry-server.js';

interface DocumentOptions {
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

/** Serves everything but calls: pages as HTML, and the files that programs read about the site. */
export async function serveDocuments(server: FastifyInstance, options: DocumentOptions): Promise<void> {
  const { database, cache, reads, clientDir, siteName, supportEmail, proposals, configuredUrl, publicUrl } = options;
  const { now, maintenance } = options;
  serveWellKnown(server, { supportEmail, publicUrl: configuredUrl, now });
  serveDocs(server, { siteName, url: configuredUrl }, cache);
  serveSitemap(server, database, { publicUrl, cache });
  serveFeeds(server, { cache, reads, readShared: database.readShared, publicUrl, siteName });
  const renderPage = openRenderer({ file: join(clientDir, RENDERER_FILE), siteName, supportEmail, proposals });
  const rateSchool = (id: number) => findSchoolRating(database.readShared(), id);
  const headOf = createHeads(reads, { siteName, publicUrl, renderPage, rateSchool });
  const successorOf = (page: Page, id: number) => findPageSuccessor(database.readShared(), page, id);
  const site = { clientDir, siteName, supportEmail, proposals, maintenance };
  await servePages(server, { ...site, cache, headOf, successorOf, publicUrl });
}

/**
 * Makes the function that returns absolute addresses: below PUBLIC_URL, or below the address that the server listens
 * on.
 */
export function createPublicUrl(server: FastifyInstance, configured: URL | undefined): (path: string) => string {
  return (path) => {
    // Never from the Host header: the sender of a request could make our links lead to another site.
    return new URL(path, configured ?? listeningOn(server)).href;
  };
}

function listeningOn(server: FastifyInstance): string {
  const bound = server.server.address();
  if (bound === null || typeof bound === 'string') return 'http://localhost';
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}
