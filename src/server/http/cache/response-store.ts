import type { Tag } from '../../database/change-tags.ts';
import { type CachedResponse, sizeOf } from './cached-response.ts';

/** How often in a row a response can be passed over at most, however often it was requested. */
const CREDIT_MAX = 7;

interface Stored {
  readonly response: CachedResponse;
  readonly bytes: number;
  /** How often the response will still be passed over. */
  credit: number;
  /** The number of its hits when the credit was computed. */
  creditedHits: number;
}

/** The responses of one route, in the order in which they are considered for eviction. */
interface RouteResponses {
  readonly byUrl: Map<string, Stored>;
  bytes: number;
}

/**
 * The responses in memory, found by address and invalidated by tag.
 *
 * To make room, a response of the route that takes the most memory is evicted, so that invented addresses of one call
 * evict no responses of others. Within the route, the oldest response that was not requested again is evicted: each
 * request lets a response be passed over once (the clock algorithm with counters).
 * @param maxBytes 0 stores nothing
 */
export function createResponseStore(maxBytes: number) {
  const byUrl = new Map<string, CachedResponse>();
  const byTag = new Map<Tag, Set<string>>();
  const byRoute = new Map<string, RouteResponses>();
  let bytes = 0;

  function remove({ url, route, tags }: CachedResponse): void {
    const responses = byRoute.get(route);
    const stored = responses?.byUrl.get(url);
    if (!responses || !stored) return;
    responses.byUrl.delete(url);
    responses.bytes -= stored.bytes;
    if (responses.byUrl.size === 0) byRoute.delete(route);
    bytes -= stored.bytes;
    byUrl.delete(url);
    for (const tag of tags) {
      const urls = byTag.get(tag);
      urls?.delete(url);
      if (urls?.size === 0) byTag.delete(tag);
    }
  }

  function removeByUrl(url: string): void {
    const response = byUrl.get(url);
    if (response) remove(response);
  }

  /** The route with the most bytes, including those of the response that is about to be added. */
  function findLargest(added: CachedResponse, addedBytes: number): RouteResponses | undefined {
    let largest: RouteResponses | undefined;
    let most = 0;
    for (const [route, responses] of byRoute) {
      const total = responses.bytes + (route === added.route ? addedBytes : 0);
      if (total <= most) continue;
      largest = responses;
      most = total;
    }
    return largest;
  }

  function dropOneOf(responses: RouteResponses): void {
    for (const [url, stored] of responses.byUrl) {
      const { hits } = stored.response;
      const credit = Math.min(CREDIT_MAX, stored.credit + hits - stored.creditedHits);
      if (credit === 0) {
        remove(stored.response);
        return;
      }
      // Moved to the end, where this loop comes to it again if nothing else can be evicted.
      responses.byUrl.delete(url);
      responses.byUrl.set(url, Object.assign(stored, { credit: credit - 1, creditedHits: hits }));
    }
  }

  function store(response: CachedResponse, size: number): void {
    const { url, route, tags } = response;
    const responses = byRoute.get(route) ?? { byUrl: new Map(), bytes: 0 };
    byRoute.set(route, responses);
    responses.byUrl.set(url, { response, bytes: size, credit: 0, creditedHits: 0 });
    responses.bytes += size;
    bytes += size;
    byUrl.set(url, response);
    for (const tag of tags) {
      const urls = byTag.get(tag);
      if (urls) urls.add(url);
      else byTag.set(tag, new Set([url]));
    }
  }

  return {
    get: (url: string) => byUrl.get(url),
    /** Whether this same object is still stored. */
    holds: (response: CachedResponse) => byUrl.get(response.url) === response,
    /** Whether a response with this tag is stored. */
    hasTag: (tag: Tag) => byTag.has(tag),
    /** Stores a response, in place of others if there is no room. */
    add(response: CachedResponse): void {
      removeByUrl(response.url);
      const size = sizeOf(response);
      if (size > maxBytes) return;
      while (bytes + size > maxBytes) {
        const largest = findLargest(response, size);
        if (!largest) return;
        dropOneOf(largest);
      }
      store(response, size);
    },
    /** Removes every response with the tag. */
    drop(tag: Tag): void {
      for (const url of byTag.get(tag) ?? []) removeByUrl(url);
    },
    clear(): void {
      for (const response of byUrl.values()) remove(response);
    },
    statistics: () => ({ bytes, entries: byUrl.size }),
  };
}
