import type { Tag } from '../../database/change-tags.ts';
import type { TagListener } from '../../database/database.ts';
import { UnavailableDatabase } from '../../database/failures.ts';
import {
  type CachedResponse,
  encode,
  findMissingEncoding,
  isWorthCompressing,
  makeResponse,
  type NewResponse,
} from './cached-response.ts';
import type { Encoding } from './compression.ts';
import { createMessages } from './messages.ts';
import { createResponseFormats, type HeaderLines } from './response-heads.ts';
import { createResponseStore } from './response-store.ts';
import { tags } from './tags.ts';

/** How long a request waits for the database if there is a stale response. */
const STALE_AFTER_MS = 1_000;

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * The cache of public responses.
 * @param maxBytes 0 caches nothing
 * @param sharedSeconds for how long a shared cache may answer without asking the server
 * @param now the clock by which days and minutes end
 */
export function createResponseCache(
  maxBytes: number,
  headers: HeaderLines,
  sharedSeconds = 0,
  now: () => number = Date.now,
) {
  const store = createResponseStore(maxBytes);
  const pending = createPendingResponses();
  const formats = createResponseFormats(headers, sharedSeconds, now());
  const messages = createMessages();
  const startedEncodings = new WeakMap<CachedResponse, Map<Encoding, Promise<void>>>();
  let isSubscribed = true;
  let hits = 0;
  let misses = 0;

  function add(response: CachedResponse): void {
    if (isSubscribed) store.add(response);
  }

  /** Compresses a response, once for all requests that wait for it. */
  function addEncoding(response: CachedResponse, name: Encoding): Promise<void> {
    const started = startedEncodings.get(response) ?? new Map<Encoding, Promise<void>>();
    startedEncodings.set(response, started);
    const encoded = started.get(name) ?? encodeAndStore(response, name);
    started.set(name, encoded);
    return encoded;
  }

  async function encodeAndStore(response: CachedResponse, name: Encoding): Promise<void> {
    response.encoded[name] = await encode(response, name);
    // Stored again, because it needs more memory now; unless it was invalidated while it was compressed.
    if (store.holds(response)) store.add(response);
  }

  async function prepare(response: CachedResponse, acceptEncoding: string | undefined): Promise<CachedResponse> {
    const missing = findMissingEncoding(response, acceptEncoding);
    if (missing) await addEncoding(response, missing);
    return response;
  }

  async function make(url: string, read: () => Promise<NewResponse>, begun: BegunResponse) {
    const made = await read();
    const response = makeResponse(url, formats.byFormat[made.format], made);
    if (!begun.isStale && !response.tags.some((tag) => begun.invalidated.has(tag))) add(response);
    return response;
  }

  /** Invalidates everything, because it is unknown what has changed, or because every page has changed. */
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

  /** Called before each lookup: when a day or a minute ends, the responses made for it are invalidated. */
  function followClock(): void {
    const period = formats.setTime(now());
    if (period === undefined) return;
    messages.clear();
    if (period === 'day') invalidate(new Set([tags.today, tags.thisMinute]));
    else if (period === 'minute') invalidate(new Set([tags.thisMinute]));
  }

  /** The cached response of an address, if it is certainly current. */
  function find(url: string): CachedResponse | undefined {
    followClock();
    if (!isSubscribed) return undefined;
    const response = store.get(url);
    if (!response) return undefined;
    hits += 1;
    response.hits += 1;
    // A response that is requested again is worth being compressed in every way.
    if (response.hits === 1 && isWorthCompressing(response))
      for (const name of response.format.encodings) void addEncoding(response, name);
    return response;
  }

  return {
    find,
    messages,
    /** The cached response of an address, even if it may be stale: for times when the database does not answer. */
    findStale: store.get,
    /**
     * The cached response of an address. On a miss the response is made, once for all requests that wait for it.
     * @param acceptEncoding of the request: a document is compressed for it before it is sent
     * @throws {UnavailableDatabase} when that takes more than a second and there is a stale response
     */
    async findOrMake(url: string, read: () => Promise<NewResponse>, acceptEncoding?: string): Promise<CachedResponse> {
      const found = find(url);
      if (found) return prepare(found, acceptEncoding);
      misses += 1;
      // Without a subscription requests share no response, because a change can happen unnoticed at any time.
      const joined = isSubscribed ? pending.find(url) : undefined;
      if (joined) return prepare(await joined, acceptEncoding);
      const response = pending.start(url, (begun) => make(url, read, begun));
      return prepare(await (store.get(url) ? withTimeout(response, STALE_AFTER_MS) : response), acceptEncoding);
    },
    /** Makes a response and does not cache it. */
    async makeUncached(url: string, read: () => Promise<NewResponse>): Promise<CachedResponse> {
      const made = await read();
      return makeResponse(url, formats.byFormat[made.format], made);
    },
    /** Whether invalidating this tag would invalidate anything. */
    hasTag: store.hasTag,
    invalidate,
    invalidateAll,
    /**
     * Sets whether this process is subscribed to the changes of other processes. While it is not, every cached response
     * may be stale.
     */
    setSubscribed(nowSubscribed: boolean): void {
      // Without a subscription the responses stay in memory for `findStale`. When the subscription is back, all are
      // invalidated, because some changes were missed.
      if (nowSubscribed !== isSubscribed) pending.markAllStale();
      if (nowSubscribed && !isSubscribed) invalidateAll();
      isSubscribed = nowSubscribed;
    },
    statistics: () => ({ ...store.statistics(), hits, misses }),
  };
}

/** The changes since a response was begun. */
interface BegunResponse {
  readonly invalidated: ReadonlySet<Tag>;
  readonly isStale: boolean;
}

interface Pending {
  readonly response: Promise<CachedResponse>;
  readonly invalidated: Set<Tag>;
  isStale: boolean;
}

/** The responses that are being made, with the tags that were invalidated since each was begun. */
function createPendingResponses() {
  const byUrl = new Map<string, Pending>();
  const all = new Set<Pending>();
  return {
    /** The pending response of an address that a new request may wait for. */
    find(url: string): Promise<CachedResponse> | undefined {
      const pending = byUrl.get(url);
      // A response that was begun before a change must not answer a request that arrived after it.
      return pending && pending.invalidated.size === 0 && !pending.isStale ? pending.response : undefined;
    },
    start(url: string, make: (begun: BegunResponse) => Promise<CachedResponse>): Promise<CachedResponse> {
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
    markInvalidated(tag: Tag): void {
      for (const { invalidated } of all) invalidated.add(tag);
    },
    markAllStale(): void {
      for (const pending of all) pending.isStale = true;
    },
  };
}

const silent = () => new UnavailableDatabase('DatabaseSilent', 'The database does not answer.');

/** Waits for an answer of the database. @throws {UnavailableDatabase} when it takes longer */
export function withTimeout<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(silent()), milliseconds);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
