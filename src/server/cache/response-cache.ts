import type { TagListener } from '../database/database.ts';
import { type CachedResponse, type Made, makeResponse, withEncodings } from './cached-response.ts';
import { COMPRESSED_FROM_BYTES } from './compression.ts';
import { type BegunResponse, createPendingResponses } from './pending-responses.ts';
import { createResponseHeads, ENCODINGS, type HeaderLines } from './response-heads.ts';
import { createResponseStore } from './response-store.ts';
import { tags } from './tags.ts';
import { waitBriefly } from './wait-briefly.ts';

interface CacheStatistics {
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}

export interface ResponseCache {
  /** The cached response of an address, if it is certainly current. */
  find(url: string): CachedResponse | undefined;
  /** The cached response of an address, even if it may be stale: for times when the database does not answer. */
  findStale(url: string): CachedResponse | undefined;
  /**
   * The cached response of an address. On a miss the response is made, once for all requests that wait for it.
   * @throws `DatabaseSilent` when that takes more than a second and there is a stale response
   */
  findOrMake(url: string, make: () => Promise<Made>): Promise<CachedResponse>;
  /** Makes a response and does not cache it. */
  makeOnce(url: string, make: () => Promise<Made>): Promise<CachedResponse>;
  readonly invalidate: TagListener;
  /** Invalidates everything: another process has changed the database and did not say what. */
  invalidateAll(): void;
  /**
   * Whether this process is subscribed to the changes of other processes. While it is not, every cached response may be
   * stale.
   */
  setSubscribed(isSubscribed: boolean): void;
  statistics(): CacheStatistics;
}

/**
 * The cache of public responses.
 * @param maxBytes 0 caches nothing
 * @param sharedSeconds for how long a shared cache may answer without asking the server
 * @param now the clock that the responses are made with
 */
export function createResponseCache(
  maxBytes: number,
  headers: HeaderLines,
  sharedSeconds = 0,
  now: () => number = Date.now,
): ResponseCache {
  const store = createResponseStore(maxBytes);
  const pending = createPendingResponses();
  const heads = createResponseHeads(headers, sharedSeconds, now());
  let isSubscribed = true;
  let hits = 0;
  let misses = 0;

  function add(response: CachedResponse): void {
    if (isSubscribed) store.add(response);
  }

  async function addBrotli(response: CachedResponse): Promise<void> {
    const withBrotli = await withEncodings(response, ['br']);
    // The response may have been invalidated while it was compressed.
    if (store.holds(response)) add(withBrotli);
  }

  async function make(url: string, read: () => Promise<Made>, begun: BegunResponse) {
    const made = await read();
    const response = await withEncodings(makeResponse(url, heads.of[made.form], made), ENCODINGS[made.form]);
    if (!begun.isStale && !response.tags.some((tag) => begun.invalidated.has(tag))) add(response);
    return response;
  }

  function invalidateAll(): void {
    store.clear();
    pending.markAllStale();
  }

  const invalidate: TagListener = (changed) => {
    for (const tag of changed) {
      store.drop(tag);
      pending.markInvalidated(tag);
    }
  };

  /** Called before each lookup: when a day ends, the responses made on that day are invalidated. */
  function followClock(): void {
    if (heads.setTime(now())) invalidate(new Set([tags.today]));
  }

  function find(url: string): CachedResponse | undefined {
    followClock();
    if (!isSubscribed) return undefined;
    const response = store.get(url);
    if (!response) return undefined;
    hits += 1;
    response.hits += 1;
    const isWorthPacking = response.hits === 1 && response.plain.bytes.length >= COMPRESSED_FROM_BYTES;
    if (isWorthPacking && !response.encoded.br && !response.encoded.gzip) void addBrotli(response);
    return response;
  }

  return {
    find,
    findStale: store.get,
    async findOrMake(url, read) {
      const found = find(url);
      if (found) return found;
      misses += 1;
      // Without a subscription a change can happen unnoticed at any time.
      const joined = isSubscribed ? pending.find(url) : undefined;
      if (joined) return joined;
      const response = pending.start(url, (begun) => make(url, read, begun));
      return store.get(url) ? waitBriefly(response) : response;
    },
    async makeOnce(url, read) {
      const made = await read();
      return { ...makeResponse(url, heads.of[made.form], made), isShared: false };
    },
    invalidate,
    invalidateAll,
    setSubscribed(nowSubscribed) {
      // Without a subscription the responses stay in memory for `findStale`. When the subscription is back, all are
      // invalidated, because some changes were missed.
      if (nowSubscribed !== isSubscribed) pending.markAllStale();
      if (nowSubscribed && !isSubscribed) invalidateAll();
      isSubscribed = nowSubscribed;
    },
    statistics: () => ({ ...store.statistics(), hits, misses }),
  };
}
