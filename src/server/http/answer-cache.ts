import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Tag } from '../cache/tags.ts';
import type { TagListener } from '../database/database.ts';
import { COMPRESSED_FROM_BYTES, compress, type Encoding, withoutPool } from './compression.ts';
import { composeHead, composeLines, type ReadyStatus } from './head-block.ts';

/** Up to here a head and a body go out in one piece as a string; a longer one costs more than a buffer beside it. */
const WRITTEN_AS_STRING_MAX_BYTES = 4_000;
/** How long a shared cache may go on answering with what it has while this server fails. */
const STALE_IF_ERROR_SECONDS = 86_400;
/** What an entry costs beside its bodies: keys, headers, the index by tag. */
const OVERHEAD_BYTES = 1_600;

/** One form of an answer, ready to be sent. */
export interface ReadyBody {
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

/** The beginning of the heads of all answers of a form, composed once. */
export type Heads = Readonly<Record<ReadyStatus, string>>;

/** A finished answer: the same bytes for everyone until one of its tags falls. */
export interface ReadyAnswer {
  readonly url: string;
  readonly route: string;
  readonly form: Form;
  readonly heads: Heads;
  readonly tags: readonly Tag[];
  readonly plain: ReadyBody;
  /** Made with a document, and when a large answer of a call is asked for a second time. */
  readonly brotli: ReadyBody | undefined;
  /** Made with a document: browsers take brotli only over TLS. */
  readonly gzip: ReadyBody | undefined;
  /** Header lines of this answer alone. */
  readonly own: readonly string[];
  /** How many rows it has; undefined for what is no list. */
  readonly rows: number | undefined;
  hits: number;
  readonly builtAt: number;
}

/** What an answer is: of a call, or a document of a page. */
export type Form = 'json' | 'html';

/** The header lines of all answers of a form, in the flat form: name, value, name, value. */
export type HeadersOfForms = Readonly<Record<Form, readonly string[]>>;

/** What a build brings: the body and the tags that must fall with it, known only once it is built. */
export interface Built {
  readonly route: string;
  readonly text: string;
  readonly form: Form;
  readonly tags: readonly Tag[];
  /** Header lines of this answer alone: Link. */
  readonly headers: readonly string[];
  /** How many rows it has, if it is a list. */
  readonly rows?: number;
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
  /** The first so many rows of a list, which are not cached: the list itself when it has no more. */
  cut(list: ReadyAnswer, rows: number): ReadyAnswer;
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
  readonly fallen: Set<Tag>;
  isSwept: boolean;
}

const sizeOf = (body: ReadyBody | undefined) => body?.bytes.length ?? 0;

/** The bytes of a body, whichever way they are kept. */
export function bytesOf({ bytes }: ReadyBody): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}

/** Browsers ask again every time. Shared caches too by `no-cache`, which s-maxage could not lift (RFC 9111 §5.2.2.4). */
function cacheControl(sharedSeconds: number): string {
  if (sharedSeconds === 0) return 'no-cache';
  return `max-age=0, s-maxage=${sharedSeconds}, stale-if-error=${STALE_IF_ERROR_SECONDS}`;
}

const TYPES: Readonly<Record<Form, string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

function composeHeads(form: Form, headers: readonly string[], sharedSeconds: number): Heads {
  const lines = composeLines([...headers, 'Cache-Control', cacheControl(sharedSeconds)]);
  return { 200: composeHead(200, lines + composeLines(['Content-Type', TYPES[form]])), 304: composeHead(304, lines) };
}

/**
 * The cache of public answers (design §5).
 * @param maxBytes 0 keeps nothing
 * @param sharedSeconds how long a shared cache may answer for a call without asking
 */
export function createAnswerCache(maxBytes: number, headers: HeadersOfForms, sharedSeconds = 0): AnswerCache {
  const byTag = new Map<Tag, Set<string>>();
  const underway = new Map<string, Underway>();
  const heads = {
    json: composeHeads('json', headers.json, sharedSeconds),
    html: composeHeads('html', headers.html, 0),
  };
  const open = new Set<Underway>();
  let isInformed = true;
  let hits = 0;
  let misses = 0;

  const ready = new LRUCache<string, ReadyAnswer>({
    maxSize: Math.max(maxBytes, 1),
    // An address stands in the answer, in the cache and in the index by tag.
    sizeCalculation: ({ url, plain, brotli, gzip }) =>
      sizeOf(plain) + sizeOf(brotli) + sizeOf(gzip) + 2 * url.length + OVERHEAD_BYTES,
    dispose: ({ url, tags }) => {
      for (const tag of tags) {
        const urls = byTag.get(tag);
        urls?.delete(url);
        if (urls?.size === 0) byTag.delete(tag);
      }
    },
  });

  function toBody(whole: Buffer, etag: string, own: readonly string[]): ReadyBody {
    const isSmall = whole.length <= WRITTEN_AS_STRING_MAX_BYTES;
    const bytes = isSmall ? whole.toString('latin1') : withoutPool(whole);
    return { bytes, etag, lines: composeLines(['ETag', etag, ...own]), length: String(whole.length) };
  }

  async function pack({ plain, own }: ReadyAnswer, encoding: Encoding): Promise<ReadyBody> {
    const bytes = await compress(bytesOf(plain), encoding);
    return toBody(bytes, plain.etag.replace(/"$/, `-${encoding}"`), [...own, 'Content-Encoding', encoding]);
  }

  function finish(url: string, { route, text, form, tags, headers: link, rows }: Built): ReadyAnswer {
    const bytes = Buffer.from(text);
    const digest = hash('sha256', bytes, 'base64url').slice(0, 22);
    const own = bytes.length >= COMPRESSED_FROM_BYTES ? [...link, 'Vary', 'Accept-Encoding'] : link;
    const plain = toBody(bytes, `"${digest}"`, own);
    return {
      ...{ url, route, form, heads: heads[form], tags, plain, own, rows },
      ...{ brotli: undefined, gzip: undefined, hits: 0, builtAt: Date.now() },
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
    const brotli = await pack(answer, 'br');
    // It may have fallen in the meantime.
    if (ready.peek(answer.url) === answer) keep({ ...answer, brotli });
  }

  /** A document is the first thing a visitor waits for on the line: it is small from the first time on. */
  async function packAll(answer: ReadyAnswer): Promise<ReadyAnswer> {
    const [brotli, gzip] = await Promise.all([pack(answer, 'br'), pack(answer, 'gzip')]);
    return { ...answer, brotli, gzip };
  }

  async function make(url: string, build: () => Promise<Built>, state: { fallen: Set<Tag>; isSwept: boolean }) {
    const finished = finish(url, await build());
    const answer = finished.form === 'html' ? await packAll(finished) : finished;
    if (!state.isSwept && !answer.tags.some((tag) => state.fallen.has(tag))) keep(answer);
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
      if (answer.hits === 1 && !answer.brotli && answer.plain.bytes.length >= COMPRESSED_FROM_BYTES)
        void addBrotli(answer);
      return answer;
    },
    findStale: (url) => ready.get(url),
    build(url, build) {
      misses += 1;
      const joined = underway.get(url);
      // One that began before a change must not answer a reader who came after it, and unheard changes may be any time.
      if (isInformed && joined && joined.fallen.size === 0 && !joined.isSwept) return joined.answer;
      const state = { fallen: new Set<Tag>(), isSwept: false };
      const answer = make(url, build, state).finally(() => {
        if (underway.get(url) === entry) underway.delete(url);
        open.delete(entry);
      });
      const entry: Underway = Object.assign(state, { answer });
      underway.set(url, entry);
      open.add(entry);
      return answer;
    },
    cut(list, rows) {
      if (list.rows === undefined || list.rows <= rows) return list;
      const text = JSON.stringify((JSON.parse(bytesOf(list.plain).toString()) as unknown[]).slice(0, rows));
      return { ...finish(list.url, { ...list, text, headers: [], rows }), builtAt: list.builtAt };
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
