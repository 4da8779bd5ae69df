/**
 * IPv6 is handed out in blocks: a network has a /64, a home often a /56, a site a /48. The holder of a block must not
 * pass for as many addresses as it has parts, so the larger blocks are counted too, with room for several within.
 */
export const IPV6_TIERS = [
  { prefix: 64, times: 1 },
  { prefix: 56, times: 4 },
  { prefix: 48, times: 16 },
] as const;

/** A block of addresses that is counted as one, and how many times a limit's most it may have. */
export interface AddressTier {
  readonly block: string;
  readonly times: number;
}

/** @param network the first four groups of an IPv6 address */
function blockOf(network: readonly string[], prefix: number): string {
  const groups = network.map((group, index) => {
    const bits = Math.min(16, Math.max(0, prefix - index * 16));
    const mask = (0xffff << (16 - bits)) & 0xffff;
    return (Number.parseInt(group, 16) & mask).toString(16);
  });
  return `${groups.join(':')}::/${prefix}`;
}

/** The blocks that a limit by address counts. @param address as `limiterAddress` gives it */
export function tiersOf(address: string): readonly AddressTier[] {
  const network = /^(.+)::\/64$/.exec(address)?.[1]?.split(':');
  if (!network) return [{ block: address, times: 1 }];
  return IPV6_TIERS.map(({ prefix, times }) => ({ block: blockOf(network, prefix), times }));
}
