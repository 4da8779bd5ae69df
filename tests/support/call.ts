import { type EventEmitter, once } from 'node:events';
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { recordCoverage } from './coverage.ts';

/** An answer whose body has been read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly text: string;
}

export interface CallOptions {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
}

/** As `fetch` does, which takes three times the processor time of a request and its answer together. */
const AS_FETCH = {
  Accept: '*/*',
  'Accept-Encoding': 'gzip, deflate',
  'Accept-Language': '*',
  'Sec-Fetch-Mode': 'cors',
  'User-Agent': 'node',
};
// All connections are kept, as by `fetch`: only over open ones do many requests arrive at once.
const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY });
const decoder = new TextDecoder();
const DECOMPRESS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

function textOf(bytes: Buffer, headers: Headers): string {
  const decompress = DECOMPRESS[headers.get('content-encoding') ?? ''];
  return decoder.decode(bytes.length > 0 && decompress ? decompress(bytes) : bytes);
}

/** Waits for an event of a connection. @throws {TypeError} when it ends before, as `fetch` does */
async function received(from: EventEmitter, event: string): Promise<unknown[]> {
  try {
    return await once(from, event);
  } catch (cause) {
    throw new TypeError('The connection ended.', { cause });
  }
}

/**
 * Sends one request, such as `call(product, 'POST /auth/login', { body })`.
 * @throws {TypeError} when the server is gone
 */
export async function call(
  { url }: { url: string },
  request: string,
  { token, body, raw, headers: given = {} }: CallOptions = {},
): Promise<Answer> {
  const [method = '', ...rest] = request.split(' ');
  recordCoverage(request);
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const { origin, href, hash } = new URL(url + rest.join(' '));
  const sending = sendRequest(origin, {
    agent,
    // Not the parts of the address, of which an empty query is none.
    path: href.slice(origin.length, href.length - hash.length),
    method,
    headers: {
      ...AS_FETCH,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(typeof raw === 'string' && { 'Content-Type': 'text/plain;charset=UTF-8' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(sent !== undefined && { 'Content-Length': Buffer.byteLength(sent) }),
      ...given,
    },
  });
  // An error after the answer has begun is one of reading it.
  sending.on('error', () => undefined);
  sending.end(sent);
  // Safe: the event has nothing else.
  const [response] = (await received(sending, 'response')) as [IncomingMessage];
  const headers = headersOf(response);
  const chunks: Buffer[] = [];
  response.on('data', (chunk) => chunks.push(chunk));
  await received(response, 'end');
  const text = textOf(Buffer.concat(chunks), headers);
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status: response.statusCode ?? 0, headers, text, body: isJson ? JSON.parse(text) : text };
}
