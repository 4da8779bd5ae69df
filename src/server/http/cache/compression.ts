import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The size from which a response is compressed. */
export const COMPRESSED_FROM_BYTES = 1_024;

/** Compresses almost as well as the highest quality, in a tenth of the time. */
const BROTLI_QUALITY = 6;

/**
 * From this size on, a body is compressed at a lower quality, in half the time or less. The result is 1.1 to 2 times as
 * large.
 */
const QUICKLY_FROM_BYTES = 1_000_000;
const QUICK_QUALITY = { brotli: 4, gzip: 3 };

/** Matches a header that lists the encoding without `q=0` (RFC 9110 §12.5.3). */
const ACCEPTED: Readonly<Record<Encoding, RegExp>> = {
  br: /(?:^|[,\s])br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/,
  gzip: /(?:^|[,\s])gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:,|$)))/,
};

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Whether the header lists an encoding and does not refuse it with `q=0`. */
export function accepts(acceptEncoding: string | undefined, encoding: Encoding): boolean {
  return acceptEncoding !== undefined && ACCEPTED[encoding].test(acceptEncoding);
}

/**
 * Copies bytes into memory of their own before they are cached. A small buffer is a part of a 64 KB block that Node
 * shares between many: all of the block would stay in memory.
 */
export function withoutPool(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Compresses off the event loop. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  const isQuick = bytes.length >= QUICKLY_FROM_BYTES;
  if (encoding === 'gzip') return withoutPool(await toGzip(bytes, isQuick ? { level: QUICK_QUALITY.gzip } : {}));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isQuick ? QUICK_QUALITY.brotli : BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return withoutPool(await toBrotli(bytes, { params }));
}
