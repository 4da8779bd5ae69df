import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { TagListener } from '../database/database.ts';
import { COMPRESSED_FROM_BYTES, compress } from './compression.ts';
import { composeHead, composeLines } from './head-block.ts';

/** Up to here a head and a body go out in one piece as a string; a longer one costs more than a buffer beside it. */
const WRITTEN_AS_STRING_MAX_BYTES = 4_000;
/** How long a shared cache may go on answering with what it has while this server fails. */
const STALE_IF_ERROR_SECONDS = 86_400;
/** What an entry costs beside its bodies: keys, headers, the index by tag. */
const OVERHEAD_BYTES = 1_600;

/** One form of an answer, ready to be sent. */
export interface ReadyBody {
  readonly bytes: Buffer;
  /**
   * The same bytes as characters, of a small body: Node writes a head and a string in one piece, which is cheaper
   * than gathering a head and a buffer.
   */
  readonly latin1: string | undefined;
  /** Strong: each encoding has its own (RFC 9110 §8.8.3). */
  readonly etag: string;
  /** The composed heads of its 200 and its 304. */
  readonly head: string;
  readonly unchangedHead: string;
  readonly length: string;
}

/** A finished answer: the same bytes for everyone until one of its tags falls. */
export interface ReadyAnswer {
  readonly url: string;
  readonly route: string;
  readonly tags: readonly string[];
  readonly plain: ReadyBody;
  /** Made when a large answer is asked for a second time. */
  readonly brotli: ReadyBody | undefined;
  /** Header lines of this answer alone. */
  readonly own: readonly string[];
  hits: number;
  readonly builtAt: number;
}

/** What a build brings: the body and the tags that must fall with it, known only once it is built. */
export interface Built {
  readonly route: string;
  readonly json: string;
  readonly tags: readonly string[];
  /** Header lines of this answer alone: Link. */
  readonly headers: readonly string[];
}

export interface CacheStatistics {
  readonly bytes: number;
  readonly entries: number;
  readonly hits: number;
  readonly misses: number;
}

export interface AnswerCache {
  /** The ready answer of an address that is known to be true now. */
  find(url: string): ReadyAnswer | undefined;
  /** The ready answer of an address although it may be out of date: for when the database does not answer. */
  findStale(url: string): ReadyAnswer | undefined;
  /** Builds an answer, at most once at a time for each address, and keeps it unless one of its tags fell meanwhile. */
  build(url: string, make: () => Promise<Built>): Promise<ReadyAnswer>;
  readonly fall: TagListener;
  /** Drops everything: somebody else has changed the database and did not say what. */
  fallAll(): void;
  /** Whether word of other processes' changes arrives. While it does not, nothing counts as true. */
  setInformed(isInformed: boolean): void;
  statistics(): CacheStatistics;
}

interface Underway {
  readonly answer: Promise<ReadyAnswer>;
  /** Tags that fell since the build began. */
  readonly fallen: Set<string>;
  isSwept: boolean;
}

const sizeOf = ({ bytes, latin1 }: ReadyBody) => bytes.length + (latin1?.length ?? 0);

/** Browsers ask again every time. Shared caches too by `no-cache`, which s-maxage could not lift (RFC 9111 §5.2.2.4). */
function cacheControl(sharedSeconds: number): string {
  if (sharedSeconds === 0) return 'no-cache';
  return `max-age=0, s-maxage=${sharedSeconds}, stale-if-error=${STALE_IF_ERROR_SECONDS}`;
}

/**
 * The cache of public answers (design §5).
 * @param maxBytes 0 keeps nothing
 * @param baseHeaders header lines of every answer
 * @param sharedSeconds how long a shared cache may answer without asking
 */
export function createAnswerCache(maxBytes: number, baseHeaders: readonly string[], sharedSeconds = 0): AnswerCache {
  const byTag = new Map<string, Set<string>>();
  const underway = new Map<string, Underway>();
  const commonLines = composeLines([...baseHeaders, 'Cache-Control', cacheControl(sharedSeconds)]);
  const jsonLine = composeLines(['Content-Type', 'application/json; charset=utf-8']);
  const open = new Set<Underway>();
  let isInformed = true;
  let hits = 0;
  let misses = 0;

  const ready = new LRUCache<string, ReadyAnswer>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ plain, brotli }) => sizeOf(plain) + (brotli ? sizeOf(brotli) : 0) + OVERHEAD_BYTES,
    dispose: ({ url, tags }) => {
      for (const tag of tags) {
        const urls = byTag.get(tag);
        urls?.delete(url);
        if (urls?.size === 0) byTag.delete(tag);
      }
    },
  });

  function toBody(bytes: Buffer, etag: string, own: readonly string[]): ReadyBody {
    const lines = composeLines(['ETag', etag, ...own]);
    const unchangedHead = composeHead(304, commonLines + lines);
    const head = composeHead(200, commonLines + jsonLine + lines);
    const latin1 = bytes.length <= WRITTEN_AS_STRING_MAX_BYTES ? bytes.toString('latin1') : undefined;
    return { bytes, latin1, etag, head, unchangedHead, length: String(bytes.length) };
  }

  function finish(url: string, { route, json, tags, headers }: Built): ReadyAnswer {
    const bytes = Buffer.from(json);
    const digest = hash('sha256', bytes, 'base64url').slice(0, 22);
    const own = bytes.length >= COMPRESSED_FROM_BYTES ? [...headers, 'Vary', 'Accept-Encoding'] : headers;
    return {
      url,
      route,
      tags,
      plain: toBody(bytes, `"${digest}"`, own),
      brotli: undefined,
      own,
      hits: 0,
      builtAt: Date.now(),
    };
  }

  function keep(answer: ReadyAnswer): void {
    if (maxBytes === 0 || !isInformed) return;
    ready.set(answer.url, answer);
    for (const tag of answer.tags) {
      const urls = byTag.get(tag);
      if (urls) urls.add(answer.url);
      else byTag.set(tag, new Set([answer.url]));
    }
  }

  async function addBrotli(answer: ReadyAnswer): Promise<void> {
    const { url, plain, own } = answer;
    const bytes = await compress(plain.bytes, 'br');
    // It may have fallen in the meantime.
    if (ready.peek(url) !== answer) return;
    const brotli = toBody(bytes, plain.etag.replace(/"$/, '-br"'), [...own, 'Content-Encoding', 'br']);
    keep({ ...answer, brotli });
  }

  async function make(url: string, build: () => Promise<Built>, state: { fallen: Set<string>; isSwept: boolean }) {
    const built = await build();
    const answer = finish(url, built);
    if (!state.isSwept && !built.tags.some((tag) => state.fallen.has(tag))) keep(answer);
    return answer;
  }

  function sweepBuilds(): void {
    for (const build of open) build.isSwept = true;
  }

  function fallAll(): void {
    ready.clear();
    sweepBuilds();
  }

  return {
    find(url) {
      if (!isInformed) return undefined;
      const answer = ready.get(url);
      if (!answer) return undefined;
      hits += 1;
      answer.hits += 1;
      if (answer.hits === 1 && answer.plain.bytes.length >= COMPRESSED_FROM_BYTES) void addBrotli(answer);
      return answer;
    },
    findStale: (url) => ready.get(url),
    build(url, build) {
      misses += 1;
      const joined = underway.get(url);
      // One that began before a change must not answer a reader who came after it, and unheard changes may be any time.
      if (isInformed && joined && joined.fallen.size === 0 && !joined.isSwept) return joined.answer;
      const state = { fallen: new Set<string>(), isSwept: false };
      const answer = make(url, build, state).finally(() => {
        if (underway.get(url) === entry) underway.delete(url);
        open.delete(entry);
      });
      const entry: Underway = Object.assign(state, { answer });
      underway.set(url, entry);
      open.add(entry);
      return answer;
    },
    fall(tags) {
      for (const tag of tags) {
        for (const url of byTag.get(tag) ?? []) ready.delete(url);
        for (const build of open) build.fallen.add(tag);
      }
    },
    fallAll,
    setInformed(nowInformed) {
      // Kept while uninformed, for `findStale`; what was missed is unknown, so nothing survives the return.
      if (nowInformed !== isInformed) sweepBuilds();
      if (nowInformed && !isInformed) fallAll();
      isInformed = nowInformed;
    },
    statistics: () => ({ bytes: ready.calculatedSize, entries: ready.size, hits, misses }),
  };
}
