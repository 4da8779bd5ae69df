import type { Tag } from '../../database/change-tags.ts';
import type { CachedResponse } from './cached-response.ts';

/** What has happened since a response was begun. */
export interface BegunResponse {
  readonly invalidated: ReadonlySet<Tag>;
  readonly isStale: boolean;
}

interface Pending {
  readonly response: Promise<CachedResponse>;
  readonly invalidated: Set<Tag>;
  isStale: boolean;
}

interface PendingResponses {
  /** The pending response of an address that a new request may wait for. */
  find(url: string): Promise<CachedResponse> | undefined;
  start(url: string, make: (begun: BegunResponse) => Promise<CachedResponse>): Promise<CachedResponse>;
  markInvalidated(tag: Tag): void;
  markAllStale(): void;
}

/** The responses that are being made, with the tags that were invalidated since each was begun. */
export function createPendingResponses(): PendingResponses {
  const byUrl = new Map<string, Pending>();
  const all = new Set<Pending>();
  return {
    find(url) {
      const pending = byUrl.get(url);
      // A response that was begun before a change must not answer a request that arrived after it.
      return pending && pending.invalidated.size === 0 && !pending.isStale ? pending.response : undefined;
    },
    start(url, make) {
      const begun = { invalidated: new Set<Tag>(), isStale: false };
      const response = make(begun).finally(() => {
        if (byUrl.get(url) === pending) byUrl.delete(url);
        all.delete(pending);
      });
      const pending: Pending = Object.assign(begun, { response });
      byUrl.set(url, pending);
      all.add(pending);
      return response;
    },
    markInvalidated(tag) {
      for (const { invalidated } of all) invalidated.add(tag);
    },
    markAllStale() {
      for (const pending of all) pending.isStale = true;
    },
  };
}
