import { LRUCache } from 'lru-cache';
import { tiersOf } from './address-tiers.ts';

const MINUTE = 60_000;
/** More addresses than this within a minute are no campus: the oldest are forgotten. */
const ADDRESSES_MAX = 50_000;

/** An IPv6 host commonly has a whole /64 to itself, so that is what counts as one address. */
export function limiterAddress(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length;
  return `${[...groups, ...Array<string>(Math.max(0, missing)).fill('0')].slice(0, 4).join(':')}::/64`;
}

export interface AddressLimit {
  /** Counts a request. @returns seconds until the address may go on; 0 when it may now */
  take(address: string): number;
}

/** A ceiling on the requests of one address in a minute, in the memory of this process: a count in the database would cost more than the reads it guards. */
export function createAddressLimit(requestsPerMinute: number): AddressLimit {
  const counts = new LRUCache<string, { count: number; endsAt: number }>({ max: ADDRESSES_MAX });
  return {
    take(address) {
      const now = performance.now();
      let wait = 0;
      for (const { block, times } of tiersOf(limiterAddress(address))) {
        let window = counts.get(block);
        if (!window || window.endsAt <= now) {
          window = { count: 0, endsAt: now + MINUTE };
          counts.set(block, window);
        }
        window.count += 1;
        if (window.count > requestsPerMinute * times) wait = Math.max(wait, (window.endsAt - now) / 1000);
      }
      return wait;
    },
  };
}
