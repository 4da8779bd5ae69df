import { hash } from 'node:crypto';
import type { Tag } from '../database/change-tags.ts';
import { COMPRESSED_FROM_BYTES, compress, type Encoding, withoutPool } from './compression.ts';
import { composeLines } from './head-block.ts';
import type { Form, Heads } from './response-heads.ts';

/** Up to this size a header block and body are written as one string; above it, a separate buffer is cheaper. */
const WRITTEN_AS_STRING_MAX_BYTES = 4_000;
/** Memory of a cached response besides its bodies: keys, headers, the index by tag. */
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

/** What is made on a cache miss: the body, and the tags of the data it was made from. */
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
export async function withEncodings(response: CachedResponse, encodings: readonly Encoding[]): Promise<CachedResponse> {
  if (response.plain.bytes.length < COMPRESSED_FROM_BYTES) return response;
  const bodies = await Promise.all(encodings.map(async (encoding) => [encoding, await encode(response, encoding)]));
  return { ...response, encoded: { ...response.encoded, ...Object.fromEntries(bodies) } };
}

/** The memory of a response. Its address is stored in the response, in the cache and in the index by tag. */
export function sizeOf({ url, plain, encoded }: CachedResponse): number {
  const bodies = [plain, ...Object.values(encoded)];
  return bodies.reduce((bytes, body) => bytes + body.bytes.length, 2 * url.length + OVERHEAD_BYTES);
}

/** Makes a response out of what a handler has made. @param heads the beginning of the header blocks of its form */
export function makeResponse(url: string, heads: Heads, made: Omit<Made, 'form'>): CachedResponse {
  const { route, text, tags, headers: link = [], rows, copiesMax } = made;
  const bytes = Buffer.from(text);
  const digest = hash('sha256', bytes, 'base64url').slice(0, 22);
  const own = bytes.length >= COMPRESSED_FROM_BYTES ? [...link, 'Vary', 'Accept-Encoding'] : link;
  const plain = toBody(bytes, `"${digest}"`, own);
  return { url, route, heads, tags, plain, encoded: {}, own, rows, copiesMax, hits: 0, madeAt: Date.now() };
}
