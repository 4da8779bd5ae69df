import { LRUCache } from 'lru-cache';
import { tiersOf } from './addresses.ts';
import { BOUNDS } from './bounds.ts';

const MINUTE = 60_000;

interface AddressLimit {
  /** Counts a request. @returns the seconds until the address may send another one; 0 when this one is allowed */
  take(address: string): number;
}

/**
 * Limits the requests of an address per minute. It counts in the memory of this process, because counting in the
 * database would cost more than the reads that it protects.
 */
export function createAddressLimit(requestsPerMinute: number): AddressLimit {
  const counts = new LRUCache<string, { count: number; endsAt: number }>({ max: BOUNDS.addressesCounted.max });
  return {
    take(address) {
      const now = performance.now();
      let wait = 0;
      for (const { block, times } of tiersOf(address)) {
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
