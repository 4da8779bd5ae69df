import proxyAddress from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

/** @returns whether an address belongs to a trusted proxy; undefined when no proxy is trusted */
export function readTrust(trustProxy: boolean | string): ((address: string) => boolean) | undefined {
  if (typeof trustProxy !== 'string') return undefined;
  const trust = proxyAddress.compile(trustProxy.split(',').map((range) => range.trim()));
  // Parsing two addresses for each request took a twentieth of a cached response.
  const known = new LRUCache<string, boolean>({ max: 10_000, memoMethod: (address) => trust(address, 0) });
  return (address) => known.memo(address);
}
