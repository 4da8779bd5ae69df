import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip';

/** From this size on an answer is worth compressing. */
export const COMPRESSED_FROM_BYTES = 1_024;

/** Close to the best at a tenth of its time. */
const BROTLI_QUALITY = 6;

/** Room for compressed texts; a document takes 2 to 8 KB. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** What an entry costs beside its bytes. */
const OVERHEAD_BYTES = 200;

/** Named among others, and not refused with `q=0` (RFC 9110 §12.5.3). */
const ACCEPTED: Readonly<Record<Encoding, RegExp>> = {
  br: /(?:^|[,\s])br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/,
  gzip: /(?:^|[,\s])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/,
};

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Whether an encoding is among the accepted ones and not refused with `q=0`. */
export function accepts(acceptEncoding: string | undefined, encoding: Encoding): boolean {
  return acceptEncoding !== undefined && ACCEPTED[encoding].test(acceptEncoding);
}

/**
 * The same bytes in memory of their own, to be kept: a small buffer is a part of one of 64 KB that Node fills with
 * whatever comes, and all of that would stay with it.
 */
export function withoutPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Compresses off the event loop. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return withoutPool(await toGzip(bytes));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return withoutPool(await toBrotli(bytes, { params }));
}

/** Sends a public text whose type is already set, in the smallest form the client takes. */
export type SendText = (reply: FastifyReply, text: string | Buffer) => Promise<FastifyReply>;

/**
 * Makes the function that sends documents and the like. Each content is compressed once; what is kept is found by the
 * content itself, so that nothing kept can be out of date.
 */
export function createSendText(): SendText {
  const kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length + OVERHEAD_BYTES,
  });

  /** Of buffers that are sent again and again. */
  const digests = new WeakMap<Buffer, string>();

  function digestOf(bytes: Buffer): string {
    const known = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('base64url');
    digests.set(bytes, known);
    return known;
  }

  async function compressOnce(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${digestOf(bytes)}`;
    const known = kept.get(key);
    if (known) return known;
    const compressed = await compress(bytes, encoding);
    kept.set(key, compressed);
    return compressed;
  }

  return async (reply, text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    reply.header('Vary', 'Accept-Encoding');
    const accepted = reply.request.headers['accept-encoding'];
    const encoding = (['br', 'gzip'] as const).find((one) => accepts(accepted, one));
    if (!encoding || bytes.length < COMPRESSED_FROM_BYTES) return reply.send(bytes);
    const compressed = await compressOnce(bytes, encoding);
    return reply.header('Content-Encoding', encoding).send(compressed);
  };
}
