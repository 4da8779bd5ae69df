import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../../database/failures.ts';
import type { FrontCounts } from '../front-counts.ts';
import { headOf, sendMessage, writeHeadBlock } from '../internals.ts';
import { markSharedBody } from '../limits/unread-responses.ts';
import { REQUEST_ID } from '../proxies.ts';
import { type CachedBody, type CachedResponse, findMissingEncoding } from './cached-response.ts';
import { accepts } from './compression.ts';
import type { ResponseCache } from './response-cache.ts';
import type { ResponseFormat } from './response-heads.ts';

/** RFC 9110 §13.1.2: weak comparison with each tag of a list, or `*`. */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.includes(etag) && ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** What a request is answered with from a cached response: one of its bodies, or 304 if the client has it. */
function choose(
  { headers }: IncomingMessage,
  { plain, encoded: { br, gzip } }: CachedResponse,
): [200 | 304, CachedBody] {
  const { 'accept-encoding': accepted, 'if-none-match': ifNoneMatch } = headers;
  let body = plain;
  if (br && accepts(accepted, 'br')) body = br;
  else if (gzip && accepts(accepted, 'gzip')) body = gzip;
  return [ifNoneMatch !== undefined && isMatch(ifNoneMatch, body.etag) ? 304 : 200, body];
}

/** Sends a body after its head, without copying it. @param extra additional header lines for this answer */
function sendBody(
  response: ServerResponse,
  { heads }: ResponseFormat,
  status: 200 | 304,
  body: CachedBody,
  extra: readonly string[] = [],
): void {
  const lines = status === 304 ? extra : ['Content-Length', body.length, ...extra];
  writeHeadBlock(response, status, heads[status] + body.lines, lines);
  if (typeof body.bytes !== 'string') markSharedBody(response, body.bytes);
  if (status === 304 || response.req.method === 'HEAD') response.end();
  else if (body.tail === undefined) response.end(body.bytes, 'latin1');
  else {
    response.write(body.bytes, 'latin1');
    response.end(body.tail);
  }
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
  sendBody(reply.raw, found.format, ...choose(reply.request.raw, found), extra);
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
  if (lacksEncoding && findMissingEncoding(cached, request.headers['accept-encoding'])) return false;
  counts.timeHit(response);
  const [status, body] = choose(request, cached);
  counts.countHit(cached.route, status);
  // Node ends the heads of other responses with other lines.
  const isPersistent = response.shouldKeepAlive && request.httpVersionMinor === 1;
  const message = isPersistent ? cache.messages.find(status, body) : undefined;
  if (message) {
    markSharedBody(response, message);
    sendMessage(response, status, message);
  } else {
    sendBody(response, cached.format, status, body);
    if (isPersistent) cache.messages.add(status, body, headOf(response));
  }
  return true;
}
