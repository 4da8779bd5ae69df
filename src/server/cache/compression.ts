import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** From this size on a response is worth compressing. */
export const COMPRESSED_FROM_BYTES = 1_024;

/** Nearly the smallest size, in a tenth of the time. */
const BROTLI_QUALITY = 6;

/** Lists the encoding, and not with `q=0` (RFC 9110 §12.5.3). */
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
 * Copies bytes into memory of their own for the cache: a small buffer is part of one of 64 KB that Node shares between
 * many, and all of it would stay in memory.
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
