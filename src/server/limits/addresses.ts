import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/**
 * IPv6 is handed out in blocks: a network has a /64, a home often a /56, a site a /48. The holder of a block must not
 * pass for as many addresses as it has parts, so the larger blocks are counted too, with room for several within.
 */
export const IPV6_TIERS = [
  { prefix: 64, times: 1 },
  { prefix: 56, times: 4 },
  { prefix: 48, times: 16 },
] as const;

/** A block of addresses that is counted as one, and the factor by which a limit is raised for it. */
interface AddressTier {
  readonly block: string;
  readonly times: number;
}

/**
 * Parsing an IPv6 address takes 3 to 12 µs, which is much beside a cached response: recent addresses are remembered.
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

/** The blocks that a limit by address counts. @param address as anybody spells it, or as `limiterAddress` gives it */
export function tiersOf(address: string): readonly AddressTier[] {
  return address.includes(':') ? parsed.memo(address) : [{ block: address, times: 1 }];
}

/** What counts as one address: an IPv6 host commonly has a whole /64 to itself. */
export function limiterAddress(address: string): string {
  return tiersOf(address)[0]?.block ?? address;
}
