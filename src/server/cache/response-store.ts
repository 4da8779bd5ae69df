import { LRUCache } from 'lru-cache';
import type { Tag } from '../database/change-tags.ts';
import { type CachedResponse, sizeOf } from './cached-response.ts';

/** The responses in memory, found by address and dropped by tag. */
interface ResponseStore {
  get(url: string): CachedResponse | undefined;
  /** Whether this same object is still stored. It does not count as a use. */
  holds(response: CachedResponse): boolean;
  /** Stores a response, and drops the oldest of its route beyond the route's maximum. */
  add(response: CachedResponse): void;
  /** Drops every response with the tag. */
  drop(tag: Tag): void;
  clear(): void;
  statistics(): { readonly bytes: number; readonly entries: number };
}

/** @param maxBytes above it the least recently used responses are dropped; 0 stores nothing */
export function createResponseStore(maxBytes: number): ResponseStore {
  const byTag = new Map<Tag, Set<string>>();
  /** The addresses of the routes that have a maximum, oldest first. */
  const byRoute = new Map<string, Set<string>>();
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: sizeOf,
    dispose: ({ url, tags, route }) => {
      byRoute.get(route)?.delete(url);
      for (const tag of tags) {
        const urls = byTag.get(tag);
        urls?.delete(url);
        if (urls?.size === 0) byTag.delete(tag);
      }
    },
  });

  function makeRoom({ route, url, copiesMax }: CachedResponse): void {
    if (copiesMax === undefined) return;
    const urls = byRoute.get(route) ?? new Set();
    byRoute.set(route, urls.add(url));
    for (const oldest of urls) {
      if (urls.size <= copiesMax) return;
      responses.delete(oldest);
    }
  }

  return {
    get: (url) => responses.get(url),
    holds: (response) => responses.peek(response.url) === response,
    add(response) {
      if (maxBytes === 0) return;
      responses.set(response.url, response);
      makeRoom(response);
      for (const tag of response.tags) {
        const urls = byTag.get(tag);
        if (urls) urls.add(response.url);
        else byTag.set(tag, new Set([response.url]));
      }
    },
    drop(tag) {
      for (const url of byTag.get(tag) ?? []) responses.delete(url);
    },
    clear: () => responses.clear(),
    statistics: () => ({ bytes: responses.calculatedSize, entries: responses.size }),
  };
}
