import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

/** @returns whether an address belongs to a trusted proxy; undefined when no proxy is trusted */
export function readTrust(trustProxy: boolean | string): ((address: string) => boolean) | undefined {
  if (typeof trustProxy !== 'string') return undefined;
  const trust = proxyAddress.compile(trustProxy.split(',').map((range) => range.trim()));
  // Cached: parsing two addresses for each request took a twentieth of the time of a cached response.
  const results = new LRUCache<string, boolean>({ max: 10_000, memoMethod: (address) => trust(address, 0) });
  return (address) => results.memo(address);
}

/**
 * The header with the id of a request, on each answer that is not cached. Log lines about the request have the same id.
 */
export const REQUEST_ID = 'X-Request-Id';

/** The ids that proxies make: nginx's has 32 digits. */
const PROXY_ID = /^[\w-]{16,64}$/;

/** Makes the function that gives a request its id: that of a trusted proxy, which logs it too, or a new one. */
export function createRequestIds(trustProxy: boolean | string): (request: IncomingMessage) => string {
  const isTrusted = readTrust(trustProxy) ?? (() => false);
  return ({ headers, socket }) => {
    const id = headers['x-request-id'];
    const isFromProxy = typeof id === 'string' && PROXY_ID.test(id) && isTrusted(socket.remoteAddress ?? '');
    return isFromProxy ? id : randomUUID();
  };
}
