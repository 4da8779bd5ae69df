import { hash } from 'node:crypto';
import type { Tag } from '../../database/change-tags.ts';
import { accepts, COMPRESSED_FROM_BYTES, compress, type Encoding, withoutPool } from './compression.ts';
import { composeLines, type Format, type ResponseFormat } from './response-heads.ts';

/** Up to this size, header block and body are written as one string. Above it, a separate buffer is cheaper. */
const WRITTEN_AS_STRING_MAX_BYTES = 4_000;
/** The memory of a cached response besides its bodies: keys, headers, the index by tag. */
const OVERHEAD_BYTES = 1_600;

/** The body of a response in one encoding, ready to be sent. */
export interface CachedBody {
  /**
   * A small body as a string (latin1): Node writes head and string in one piece, which is cheaper than combining a head
   * with a buffer.
   */
  readonly bytes: Buffer | string;
  /** Bytes sent after those: the end of a shortened list, which shares the bytes of the whole one. */
  readonly tail?: string;
  /** A strong ETag: each encoding has its own (RFC 9110 §8.8.3). */
  readonly etag: string;
  /** Additional header lines of this body, composed. */
  readonly lines: string;
  readonly length: string;
}

/** A response in memory: the same bytes for everyone until one of its tags is invalidated. */
export interface CachedResponse {
  readonly url: string;
  readonly route: string;
  readonly format: ResponseFormat;
  readonly tags: readonly Tag[];
  readonly plain: CachedBody;
  /** Compressed bodies, added as they are asked for. */
  readonly encoded: Partial<Record<Encoding, CachedBody>>;
  /** Header lines that only this response has. */
  readonly ownHeaders: readonly string[];
  /** Where the rows of a list end in its plain body, in bytes; undefined for a response that is never cut. */
  readonly rowEnds: Uint32Array | undefined;
  hits: number;
  readonly madeAt: number;
}

/** A response that is not cached yet, with the tags of the data it was made from. */
export interface NewResponse {
  readonly route: string;
  readonly text: string;
  readonly format: Format;
  readonly tags: readonly Tag[];
  /** Header lines that only this response has: Link. */
  readonly headers?: readonly string[];
  readonly rowEnds?: Uint32Array | undefined;
}

/** The bytes of a body, which is stored as a buffer or a string. */
export function bytesOf({ bytes, tail }: CachedBody): Buffer {
  const body = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return tail === undefined ? body : Buffer.concat([body, Buffer.from(tail)]);
}

/** The answer of a response whose body is JSON. */
export function answerOf({ plain }: CachedResponse): unknown {
  return JSON.parse(bytesOf(plain).toString());
}

function toBody(bytes: Buffer | string, etag: string, ownHeaders: readonly string[]): CachedBody {
  return { bytes, etag, lines: composeLines(['ETag', etag, ...ownHeaders]), length: String(bytes.length) };
}

/** The bytes of a body in the type of `CachedBody`. */
function toStored(whole: Buffer): Buffer | string {
  return whole.length <= WRITTEN_AS_STRING_MAX_BYTES ? whole.toString('latin1') : withoutPool(whole);
}

/** Whether a response is large enough to be compressed. */
export const isWorthCompressing = ({ plain }: CachedResponse) => plain.bytes.length >= COMPRESSED_FROM_BYTES;

/** The encoding that suits a client best, if the response has to be compressed for it before it is sent. */
export function findMissingEncoding(response: CachedResponse, accepted: string | undefined): Encoding | undefined {
  const { encodings, isCompressedAtOnce } = response.format;
  if (!isCompressedAtOnce || !isWorthCompressing(response)) return undefined;
  const best = encodings.find((encoding) => accepts(accepted, encoding));
  return best && !response.encoded[best] ? best : undefined;
}

/** Compresses the body of a response, outside of the event loop. */
export async function encode({ plain, ownHeaders }: CachedResponse, encoding: Encoding): Promise<CachedBody> {
  const bytes = await compress(bytesOf(plain), encoding);
  return toBody(toStored(bytes), plain.etag.replace(/"$/, `-${encoding}"`), [
    ...ownHeaders,
    'Content-Encoding',
    encoding,
  ]);
}

/** The memory of a response, estimated: its bodies, its address in the cache and in the index by tag, and the rest. */
export function sizeOf({ url, plain, encoded, rowEnds }: CachedResponse): number {
  const bodies = [plain, ...Object.values(encoded)];
  const overhead = 2 * url.length + (rowEnds?.byteLength ?? 0) + OVERHEAD_BYTES;
  return bodies.reduce((bytes, body) => bytes + body.bytes.length, overhead);
}

/** A text in UTF-8, in memory of its own (`withoutPool`). @param length in bytes */
function encodeText(text: string, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.write(text);
  return bytes;
}

/** Makes a response from the result of a handler. */
export function makeResponse(url: string, format: ResponseFormat, made: Omit<NewResponse, 'format'>): CachedResponse {
  const { route, text, tags, headers: link = [], rowEnds } = made;
  const length = Buffer.byteLength(text);
  // Most small bodies are ASCII, in which each character is one byte: no buffer is needed.
  const isStoredAsText = length === text.length && length <= WRITTEN_AS_STRING_MAX_BYTES;
  const whole = isStoredAsText ? text : encodeText(text, length);
  const bytes = typeof whole === 'string' ? whole : toStored(whole);
  const digest = hash('sha256', whole, 'base64url').slice(0, 22);
  const ownHeaders = length >= COMPRESSED_FROM_BYTES ? [...link, 'Vary', 'Accept-Encoding'] : link;
  const plain = toBody(bytes, `"${digest}"`, ownHeaders);
  return { url, route, format, tags, plain, encoded: {}, ownHeaders, rowEnds, hits: 0, madeAt: Date.now() };
}

/** Writes a list as JSON that can be cut after each of its rows. */
export function writeRows(rows: readonly unknown[]): { text: string; rowEnds: Uint32Array } {
  const texts = rows.map((row) => JSON.stringify(row));
  const rowEnds = new Uint32Array(rows.length);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    // A bracket or a comma comes before the row.
    end += 1 + Buffer.byteLength(text);
    rowEnds[index] = end;
  }
  return { text: `[${texts.join(',')}]`, rowEnds };
}

/**
 * A response with the first rows of a list, whose bytes it shares. Returns the list itself if it has no more rows.
 */
export function cutList(list: CachedResponse, rows: number): CachedResponse {
  const { plain, rowEnds, ownHeaders } = list;
  if (rowEnds === undefined || rowEnds.length <= rows) return list;
  const end = rowEnds[rows - 1] as number;
  const bytes = typeof plain.bytes === 'string' ? plain.bytes.slice(0, end) : plain.bytes.subarray(0, end);
  const etag = plain.etag.replace(/"$/, `-${rows}"`);
  const body = { bytes, tail: ']', etag, lines: composeLines(['ETag', etag, ...ownHeaders]), length: String(end + 1) };
  return { ...list, plain: body, encoded: {} };
}
