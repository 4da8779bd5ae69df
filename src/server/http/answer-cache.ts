import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { TagListener } from '../database/database.ts';

/** From this size on an answer is worth compressing. */
const COMPRESSED_FROM_BYTES = 1_024;
/** Close to the best at a tenth of its time; it is done once for many answers, off the event loop. */
const BROTLI_QUALITY = 6;
/** What an entry costs beside its bodies: keys, headers, the index by tag. */
const OVERHEAD_BYTES = 600;

const compress = promisify(brotliCompress);

/** One form of an answer, ready to be sent, with its header lines as Node writes them fastest: name, value, … */
export interface ReadyBody {
  readonly bytes: Buffer;
  /** Strong: each encoding has its own (RFC 9110 §8.8.3). */
  readonly etag: string;
  readonly headers: readonly string[];
  readonly notModified: readonly string[];
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

/**
 * The cache of public answers (design §5).
 * @param maxBytes 0 keeps nothing
 * @param baseHeaders header lines of every answer
 */
export function createAnswerCache(maxBytes: number, baseHeaders: readonly string[]): AnswerCache {
  const byTag = new Map<string, Set<string>>();
  const underway = new Map<string, Underway>();
  const open = new Set<Underway>();
  let isInformed = true;
  let hits = 0;
  let misses = 0;

  const ready = new LRUCache<string, ReadyAnswer>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ plain, brotli }) => plain.bytes.length + (brotli?.bytes.length ?? 0) + OVERHEAD_BYTES,
    dispose: ({ url, tags }) => {
      for (const tag of tags) {
        const urls = byTag.get(tag);
        urls?.delete(url);
        if (urls?.size === 0) byTag.delete(tag);
      }
    },
  });

  function toBody(bytes: Buffer, etag: string, own: readonly string[]): ReadyBody {
    const notModified = [...baseHeaders, 'Cache-Control', 'no-cache', 'ETag', etag, ...own];
    const headers = [
      ...notModified,
      'Content-Type',
      'application/json; charset=utf-8',
      'Content-Length',
      String(bytes.length),
    ];
    return { bytes, etag, headers, notModified };
  }

  function finish(url: string, { route, json, tags, headers }: Built): ReadyAnswer {
    const bytes = Buffer.from(json);
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    const own = bytes.length >= COMPRESSED_FROM_BYTES ? [...headers, 'Vary', 'Accept-Encoding'] : headers;
    return {
      url,
      route,
      tags,
      plain: toBody(bytes, `"${hash}"`, own),
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
    const bytes = await compress(plain.bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.bytes.length,
      },
    });
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
