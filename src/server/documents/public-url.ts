import type { FastifyInstance } from 'fastify';

/** Makes the function that returns absolute addresses: below PUBLIC_URL, or below the address listened on. */
export function createPublicUrl(server: FastifyInstance, configured: URL | undefined): (path: string) => string {
  return (path) => {
    // Never the Host header: whoever sends a request could put their own site into our links.
    return new URL(path, configured ?? listeningOn(server)).href;
  };
}

function listeningOn(server: FastifyInstance): string {
  const bound = server.server.address();
  if (bound === null || typeof bound === 'string') return 'http://localhost';
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}
