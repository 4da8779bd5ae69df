import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tag } from '../database/change-tags.ts';
import type { TagListener } from '../database/database.ts';
import { COMPRESSED_FROM_BYTES, compress, type Encoding, withoutPool } from './compression.ts';
import { composeLines } from './head-block.ts';
import { createResponseHeads, ENCODINGS, type Form, type HeaderLines, type Heads } from './response-heads.ts';
import { tags } from './tags.ts';
import { waitBriefly } from './wait-briefly.ts';

/** Up to this size a header block and body are written as one string; above it, a separate buffer is cheaper. */
const WRITTEN_AS_STRING_MAX_BYTES = 4_000;
/** Memory of an entry besides its bodies: keys, headers, the index by tag. */
const OVERHEAD_BYTES = 1_600;

/** The body of a response in one encoding, ready to be sent. */
export interface CachedBody {
  /**
   * A small body as characters (latin1): Node writes a head and a string in one piece, which is cheaper than gathering a
   * head and a buffer.
   */
  readonly bytes: Buffer | string;
  /** Strong: each encoding has its own (RFC 9110 §8.8.3). */
  readonly etag: string;
  /** Header lines that it has for itself, composed. */
  readonly lines: string;
  readonly length: string;
}

/** A response in memory: the same bytes for everyone until one of its tags is invalidated. */
export interface CachedResponse {
  readonly url: string;
  readonly route: string;
  readonly heads: Heads;
  readonly tags: readonly Tag[];
  readonly plain: CachedBody;
  readonly encoded: Readonly<Partial<Record<Encoding, CachedBody>>>;
  /** Header lines of this response alone. */
  readonly own: readonly string[];
  /** How many rows it has; undefined when it is not a list. */
  readonly rows: number | undefined;
  /** How many responses of its route are cached at most; undefined for as many as fit. */
  readonly copiesMax: number | undefined;
  hits: number;
  readonly madeAt: number;
}

/** What a handler makes: the body, and the tags of the data that it read. */
export interface Made {
  readonly route: string;
  readonly text: string;
  readonly form: Form;
  readonly tags: readonly Tag[];
  /** Header lines of this response alone: Link. */
  readonly headers?: readonly string[];
  /** How many rows it has, if it is a list. */
  readonly rows?: number | undefined;
  readonly copiesMax?: number | undefined;
}

interface CacheStatistics {
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}

export interface ResponseCache {
  /** The cached response of an address, if it is certainly up to date. */
  find(url: string): CachedResponse | undefined;
  /** The cached response of an address even if it may be stale: for when the database does not answer. */
  findStale(url: string): CachedResponse | undefined;
  /**
   * The cached response of an address; on a miss makes it, once for all requests that wait for it.
   * @throws `DatabaseSilent` when that takes more than a second and there is a stale one
   */
  findOrMake(url: string, make: () => Promise<Made>): Promise<CachedResponse>;
  /** Makes a response that is not cached. */
  makeOnce(url: string, make: () => Promise<Made>): Promise<CachedResponse>;
  /** The first rows of a list as a response that is not cached; the list itself when it has no more. */
  cut(list: CachedResponse, rows: number): CachedResponse;
  readonly invalidate: TagListener;
  /** Invalidates everything: another process has changed the database and did not say what. */
  invalidateAll(): void;
  /**
   * Whether this process is subscribed to the changes of others. While it is not, every cached response may be stale.
   */
  setSubscribed(isSubscribed: boolean): void;
  statistics(): CacheStatistics;
}

/** A response that is being made, and what has been invalidated since that began. */
interface Pending {
  readonly response: Promise<CachedResponse>;
  readonly invalidated: Set<Tag>;
  isStale: boolean;
}

/** The bytes of a body, whichever way they are held. */
export function bytesOf({ bytes }: CachedBody): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}

function toBody(whole: Buffer, etag: string, own: readonly string[]): CachedBody {
  const isSmall = whole.length <= WRITTEN_AS_STRING_MAX_BYTES;
  const bytes = isSmall ? whole.toString('latin1') : withoutPool(whole);
  return { bytes, etag, lines: composeLines(['ETag', etag, ...own]), length: String(whole.length) };
}

async function encode({ plain, own }: CachedResponse, encoding: Encoding): Promise<CachedBody> {
  const bytes = await compress(bytesOf(plain), encoding);
  return toBody(bytes, plain.etag.replace(/"$/, `-${encoding}"`), [...own, 'Content-Encoding', encoding]);
}

/** Adds encodings of the body, made off the event loop. */
async function withEncodings(response: CachedResponse, encodings: readonly Encoding[]): Promise<CachedResponse> {
  if (response.plain.bytes.length < COMPRESSED_FROM_BYTES) return response;
  const bodies = await Promise.all(encodings.map(async (encoding) => [encoding, await encode(response, encoding)]));
  return { ...response, encoded: { ...response.encoded, ...Object.fromEntries(bodies) } };
}

/** The memory of a response. Its address is stored in the response, in the cache and in the index by tag. */
function sizeOf({ url, plain, encoded }: CachedResponse): number {
  const bodies = [plain, ...Object.values(encoded)];
  return bodies.reduce((bytes, body) => bytes + body.bytes.length, 2 * url.length + OVERHEAD_BYTES);
}

/**
 * The cache of public responses (design §5).
 * @param maxBytes 0 caches nothing
 * @param sharedSeconds how long a shared cache may answer for a call without asking
 * @param now the clock that the responses are made by
 */
export function createResponseCache(
  maxBytes: number,
  headers: HeaderLines,
  sharedSeconds = 0,
  now: () => number = Date.now,
): ResponseCache {
  const byTag = new Map<Tag, Set<string>>();
  /** The addresses of routes with a maximum, oldest first. */
  const byRoute = new Map<string, Set<string>>();
  const pendingByUrl = new Map<string, Pending>();
  const allPending = new Set<Pending>();
  const heads = createResponseHeads(headers, sharedSeconds, now());
  let isSubscribed = true;
  let hits = 0;
  let misses = 0;

  const cached = new LRUCache<string, CachedResponse>({
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

  /** Notes a response of a route with a maximum, and drops the oldest ones above it. */
  function makeRoom({ route, url, copiesMax }: CachedResponse): void {
    if (copiesMax === undefined) return;
    const urls = byRoute.get(route) ?? new Set();
    byRoute.set(route, urls.add(url));
    for (const oldest of urls) {
      if (urls.size <= copiesMax) return;
      cached.delete(oldest);
    }
  }

  function add(response: CachedResponse): void {
    if (maxBytes === 0 || !isSubscribed) return;
    cached.set(response.url, response);
    makeRoom(response);
    for (const tag of response.tags) {
      const urls = byTag.get(tag);
      if (urls) urls.add(response.url);
      else byTag.set(tag, new Set([response.url]));
    }
  }

  async function addBrotli(response: CachedResponse): Promise<void> {
    const withBrotli = await withEncodings(response, ['br']);
    // It may have been invalidated meanwhile.
    if (cached.peek(response.url) === response) add(withBrotli);
  }

  function responseOf(
    url: string,
    { route, text, form, tags, headers: link = [], rows, copiesMax }: Made,
  ): CachedResponse {
    const bytes = Buffer.from(text);
    const digest = hash('sha256', bytes, 'base64url').slice(0, 22);
    const own = bytes.length >= COMPRESSED_FROM_BYTES ? [...link, 'Vary', 'Accept-Encoding'] : link;
    const plain = toBody(bytes, `"${digest}"`, own);
    return {
      url,
      route,
      heads: heads.of[form],
      tags,
      plain,
      encoded: {},
      own,
      rows,
      copiesMax,
      hits: 0,
      madeAt: Date.now(),
    };
  }

  async function make(url: string, read: () => Promise<Made>, state: Omit<Pending, 'response'>) {
    const made = await read();
    const response = await withEncodings(responseOf(url, made), ENCODINGS[made.form]);
    if (!state.isStale && !response.tags.some((tag) => state.invalidated.has(tag))) add(response);
    return response;
  }

  function markPendingStale(): void {
    for (const pending of allPending) pending.isStale = true;
  }

  function invalidateAll(): void {
    cached.clear();
    markPendingStale();
  }

  const invalidate: TagListener = (changed) => {
    for (const tag of changed) {
      for (const url of byTag.get(tag) ?? []) cached.delete(url);
      for (const pending of allPending) pending.invalidated.add(tag);
    }
  };

  /** Before each answer: with the end of a day what was made of that day goes. */
  function followClock(): void {
    if (heads.setTime(now())) invalidate(new Set([tags.today]));
  }

  function find(url: string): CachedResponse | undefined {
    followClock();
    if (!isSubscribed) return undefined;
    const response = cached.get(url);
    if (!response) return undefined;
    hits += 1;
    response.hits += 1;
    const isWorthPacking = response.hits === 1 && response.plain.bytes.length >= COMPRESSED_FROM_BYTES;
    if (isWorthPacking && !response.encoded.br && !response.encoded.gzip) void addBrotli(response);
    return response;
  }

  return {
    find,
    findStale: (url) => cached.get(url),
    async findOrMake(url, read) {
      const found = find(url);
      if (found) return found;
      misses += 1;
      const joined = pendingByUrl.get(url);
      // A response that was begun before a change must not answer a reader who came after it. Without a subscription a
      // change can happen unnoticed at any time.
      if (isSubscribed && joined && joined.invalidated.size === 0 && !joined.isStale) return joined.response;
      const state = { invalidated: new Set<Tag>(), isStale: false };
      const response = make(url, read, state).finally(() => {
        if (pendingByUrl.get(url) === pending) pendingByUrl.delete(url);
        allPending.delete(pending);
      });
      const pending: Pending = Object.assign(state, { response });
      pendingByUrl.set(url, pending);
      allPending.add(pending);
      return cached.has(url) ? waitBriefly(response) : response;
    },
    makeOnce: async (url, read) => responseOf(url, await read()),
    cut(list, rows) {
      if (list.rows === undefined || list.rows <= rows) return list;
      const text = JSON.stringify((JSON.parse(bytesOf(list.plain).toString()) as unknown[]).slice(0, rows));
      return { ...responseOf(list.url, { ...list, form: 'json', text, headers: [], rows }), madeAt: list.madeAt };
    },
    invalidate,
    invalidateAll,
    setSubscribed(nowSubscribed) {
      // Responses stay in memory without a subscription, for `findStale`. All are invalidated when it returns, since it
      // is unknown which changes were missed.
      if (nowSubscribed !== isSubscribed) markPendingStale();
      if (nowSubscribed && !isSubscribed) invalidateAll();
      isSubscribed = nowSubscribed;
    },
    statistics: () => ({ bytes: cached.calculatedSize, entries: cached.size, hits, misses }),
  };
}
