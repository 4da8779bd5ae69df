import type { FastifyInstance } from 'fastify';
import { serveDocs } from './docs.ts';
import type { DocumentOptions } from './document-options.ts';
import { serveFeeds } from './feeds.ts';
import { servePages } from './pages.ts';
import { serveSitemap } from './sitemap.ts';
import { serveWellKnown } from './well-known.ts';

/** Serves everything but calls: pages as HTML, and the files that programs read about the site. */
export async function serveDocuments(server: FastifyInstance, options: DocumentOptions): Promise<void> {
  serveWellKnown(server, options);
  serveDocs(server, options);
  serveSitemap(server, options);
  serveFeeds(server, options);
  await servePages(server, options);
}

/**
 * Makes the function that returns absolute addresses: below PUBLIC_URL, or below the address that the server listens
 * on.
 */
export function createPublicUrl(server: FastifyInstance, configured: URL | undefined): (path: string) => string {
  return (path) => {
    // Never from the Host header, by which the sender of a request could make our links lead to another site.
    return new URL(path, configured ?? listeningAddress(server)).href;
  };
}

function listeningAddress(server: FastifyInstance): string {
  const bound = server.server.address();
  if (bound === null || typeof bound === 'string') return 'http://localhost';
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}
