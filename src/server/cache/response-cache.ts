import type { Tag } from '../database/change-tags.ts';
import type { TagListener } from '../database/database.ts';
import { bytesOf, type CachedResponse, type Made, makeResponse, withEncodings } from './cached-response.ts';
import { COMPRESSED_FROM_BYTES } from './compression.ts';
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
  /** A response with the first rows of a list, which is not cached. Returns the list itself if it has no more rows. */
  cut(list: CachedResponse, rows: number): CachedResponse;
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

/** A response that is being made, with the tags that were invalidated since it was begun. */
interface Pending {
  readonly response: Promise<CachedResponse>;
  readonly invalidated: Set<Tag>;
  isStale: boolean;
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
  const pendingByUrl = new Map<string, Pending>();
  const allPending = new Set<Pending>();
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

  async function make(url: string, read: () => Promise<Made>, state: Omit<Pending, 'response'>) {
    const made = await read();
    const response = await withEncodings(makeResponse(url, heads.of[made.form], made), ENCODINGS[made.form]);
    if (!state.isStale && !response.tags.some((tag) => state.invalidated.has(tag))) add(response);
    return response;
  }

  function markPendingStale(): void {
    for (const pending of allPending) pending.isStale = true;
  }

  function invalidateAll(): void {
    store.clear();
    markPendingStale();
  }

  const invalidate: TagListener = (changed) => {
    for (const tag of changed) {
      store.drop(tag);
      for (const pending of allPending) pending.invalidated.add(tag);
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
      const joined = pendingByUrl.get(url);
      // A response that was begun before a change must not answer a request that arrived after it. Without a
      // subscription a change can happen unnoticed at any time.
      if (isSubscribed && joined && joined.invalidated.size === 0 && !joined.isStale) return joined.response;
      const state = { invalidated: new Set<Tag>(), isStale: false };
      const response = make(url, read, state).finally(() => {
        if (pendingByUrl.get(url) === pending) pendingByUrl.delete(url);
        allPending.delete(pending);
      });
      const pending: Pending = Object.assign(state, { response });
      pendingByUrl.set(url, pending);
      allPending.add(pending);
      return store.get(url) ? waitBriefly(response) : response;
    },
    async makeOnce(url, read) {
      const made = await read();
      return makeResponse(url, heads.of[made.form], made);
    },
    cut(list, rows) {
      if (list.rows === undefined || list.rows <= rows) return list;
      const text = JSON.stringify((JSON.parse(bytesOf(list.plain).toString()) as unknown[]).slice(0, rows));
      const first = makeResponse(list.url, list.heads, { ...list, text, headers: [], rows });
      return { ...first, madeAt: list.madeAt };
    },
    invalidate,
    invalidateAll,
    setSubscribed(nowSubscribed) {
      // Without a subscription the responses stay in memory for `findStale`. When the subscription is back, all are
      // invalidated, because some changes were missed.
      if (nowSubscribed !== isSubscribed) markPendingStale();
      if (nowSubscribed && !isSubscribed) invalidateAll();
      isSubscribed = nowSubscribed;
    },
    statistics: () => ({ ...store.statistics(), hits, misses }),
  };
}
