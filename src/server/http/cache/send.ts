import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../../database/failures.ts';
import type { FrontCounts } from '../front-counts.ts';
import { writeHeadBlock } from '../internals.ts';
import { markSharedBody } from '../limits/unread-responses.ts';
import { REQUEST_ID } from '../proxies.ts';
import { type CachedBody, type CachedResponse, findMissingEncoding } from './cached-response.ts';
import { accepts } from './compression.ts';
import type { ResponseCache } from './response-cache.ts';

/** RFC 9110 §13.1.2: weak comparison with each tag of a list, or `*`. */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.includes(etag) && ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Reads one header of a request. Node's own `headers` would convert all of them to an object first, which costs more
 * than the rest of answering from the cache.
 * @param name in lower case
 */
export function readHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) return rawHeaders[index + 1];
  }
  return undefined;
}

function bodyFor(request: IncomingMessage, { plain, encoded: { br, gzip } }: CachedResponse): CachedBody {
  if (!br && !gzip) return plain;
  const accepted = readHeader(request, 'accept-encoding');
  if (br && accepts(accepted, 'br')) return br;
  return gzip && accepts(accepted, 'gzip') ? gzip : plain;
}

/**
 * Sends a cached response without copying it, or 304 if the client has it.
 * @param extra additional header lines for this answer
 * @returns the status sent
 */
function sendCached(
  request: IncomingMessage,
  response: ServerResponse,
  cached: CachedResponse,
  extra: readonly string[] = [],
): 200 | 304 {
  const body = bodyFor(request, cached);
  const ifNoneMatch = readHeader(request, 'if-none-match');
  const isUnchanged = ifNoneMatch !== undefined && isMatch(ifNoneMatch, body.etag);
  const status = isUnchanged ? 304 : 200;
  const lines = isUnchanged ? extra : ['Content-Length', body.length, ...extra];
  writeHeadBlock(response, status, cached.format.heads[status] + body.lines, lines);
  if (typeof body.bytes !== 'string') markSharedBody(response, body.bytes);
  if (isUnchanged || request.method === 'HEAD') response.end();
  else if (body.tail !== undefined) {
    response.write(body.bytes, 'latin1');
    response.end(body.tail);
  } else if (typeof body.bytes === 'string') response.end(body.bytes, 'latin1');
  else response.end(body.bytes);
  return status;
}

/**
 * Sends a response from the cache. While the database does not answer, sends the last one and marks it as stale.
 * @throws the error of `find` when there is no response
 */
export async function sendFreshOrStale(
  reply: FastifyReply,
  find: () => Promise<CachedResponse>,
  findStale: () => CachedResponse | undefined,
): Promise<void> {
  let found: CachedResponse | undefined;
  let extra: string[] = [REQUEST_ID, reply.request.id];
  try {
    found = await find();
  } catch (error) {
    found = isUnavailable(error) ? findStale() : undefined;
    if (!found) throw error;
    extra = [...extra, ...staleHeaders(found)];
  }
  reply.hijack();
  sendCached(reply.request.raw, reply.raw, found, extra);
}

/** Headers of a stale response while the database does not answer (RFC 9111 §5.1, §5.5). */
function staleHeaders({ madeAt }: CachedResponse): string[] {
  const age = Math.max(0, Math.round((Date.now() - madeAt) / 1000));
  return ['Age', String(age), 'Warning', '110 - "Response is Stale"'];
}

/** More parts than any query of a call has. Longer queries are not sorted: clients could cause that work at no cost. */
const SORTED_PARTS_MAX = 8;

/**
 * Maps other spellings of addresses to those of cached responses: sorting a query took a tenth of the time of an
 * answer.
 */
const sortedAddresses = new Map<string, string>();
const SORTED_ADDRESSES_MAX = 1_000;

function sortQuery(url: string, start: number): string | undefined {
  const parts = url.slice(start).split('&');
  return parts.length > SORTED_PARTS_MAX ? undefined : url.slice(0, start) + parts.sort().join('&');
}

/**
 * Finds a response whatever the order of the query. Responses are cached by their address in the order of
 * `callAddress`.
 */
function findInAnyOrder(url: string, cache: ResponseCache): CachedResponse | undefined {
  const found = cache.find(url);
  const start = url.indexOf('?') + 1;
  if (found || start === 0 || !url.includes('&', start)) return found;
  const known = sortedAddresses.get(url);
  const sorted = known ?? sortQuery(url, start);
  const response = sorted === undefined ? undefined : cache.find(sorted);
  if (response && known === undefined) {
    if (sortedAddresses.size >= SORTED_ADDRESSES_MAX) sortedAddresses.clear();
    sortedAddresses.set(url, response.url);
  }
  return response;
}

/** Answers a GET from the cache, before routing. @returns whether there was a hit that can be sent as it is */
export function trySendCached(
  request: IncomingMessage,
  response: ServerResponse,
  cache: ResponseCache,
  counts: FrontCounts,
): boolean {
  if (request.method !== 'GET' || request.url === undefined) return false;
  const cached = findInAnyOrder(request.url, cache);
  if (!cached) return false;
  const { isCompressedAtOnce, encodings } = cached.format;
  const lacksEncoding = isCompressedAtOnce && encodings.some((encoding) => !cached.encoded[encoding]);
  if (lacksEncoding && findMissingEncoding(cached, readHeader(request, 'accept-encoding'))) return false;
  counts.timeHit(response);
  counts.countHit(cached.route, sendCached(request, response, cached));
  return true;
}
