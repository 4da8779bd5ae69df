import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/**
 * IPv6 addresses are assigned in blocks: a network has a /64, a home often a /56, a site a /48. The owner of a block
 * must not count as many addresses, so the larger blocks are counted too, with higher limits.
 */
export const IPV6_TIERS = [
  { prefix: 64, times: 1 },
  { prefix: 56, times: 4 },
  { prefix: 48, times: 16 },
] as const;

/** A block of addresses that counts as one, and the factor of the limit for it. */
interface AddressTier {
  readonly block: string;
  readonly times: number;
}

/**
 * Parsing an IPv6 address takes 3 to 12 µs, which is much compared with a cached response: recent addresses are cached.
 */
const parsed = new LRUCache<string, readonly AddressTier[]>({ max: 10_000, memoMethod: parseTiers });

function parseTiers(address: string): readonly AddressTier[] {
  const [host = ''] = address.split('/', 1);
  if (!ipaddr.IPv6.isValid(host)) return [{ block: address, times: 1 }];
  const plain = ipaddr.process(host);
  if (plain.kind() === 'ipv4') return [{ block: plain.toString(), times: 1 }];
  return IPV6_TIERS.map(({ prefix, times }) => ({
    block: `${ipaddr.IPv6.networkAddressFromCIDR(`${host}/${prefix}`)}/${prefix}`,
    times,
  }));
}

/** The blocks that a limit by address counts. @param address in any spelling, or as `limiterAddress` returns it */
export function tiersOf(address: string): readonly AddressTier[] {
  return address.includes(':') ? parsed.memo(address) : [{ block: address, times: 1 }];
}

/** The part of an address that counts as one client: an IPv6 host commonly has a whole /64. */
export function limiterAddress(address: string): string {
  return tiersOf(address)[0]?.block ?? address;
}
