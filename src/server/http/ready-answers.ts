import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerCache, ReadyAnswer, ReadyBody } from './answer-cache.ts';
import { accepts } from './compression.ts';
import { writeHeadBlock } from './head-block.ts';

/** RFC 9110 §13.1.2: weak comparison, any of a list, or `*`. */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true;
  return ifNoneMatch.includes(etag) && ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * One header of a request. Node's own `headers` would first turn all of them into an object, which costs more than
 * all the rest of a ready answer.
 * @param name in lower case
 */
function readHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] as string;
    if (given.length === name.length && given.toLowerCase() === name) return rawHeaders[index + 1];
  }
  return undefined;
}

function bodyFor(request: IncomingMessage, { plain, brotli, gzip }: ReadyAnswer): ReadyBody {
  if (!brotli && !gzip) return plain;
  const accepted = readHeader(request, 'accept-encoding');
  if (brotli && accepts(accepted, 'br')) return brotli;
  return gzip && accepts(accepted, 'gzip') ? gzip : plain;
}

/**
 * Sends a finished answer, or 304 when the client has it, without touching a byte of it.
 * @param extra header lines for this time only
 * @returns the status sent
 */
export function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReadyAnswer,
  extra: readonly string[] = [],
): number {
  const body = bodyFor(request, answer);
  const ifNoneMatch = readHeader(request, 'if-none-match');
  const isUnchanged = ifNoneMatch !== undefined && isMatch(ifNoneMatch, body.etag);
  const status = isUnchanged ? 304 : 200;
  writeHeadBlock(response, status, answer.heads[status] + body.lines, isUnchanged ? undefined : body.length, extra);
  if (isUnchanged || request.method === 'HEAD') response.end();
  else if (typeof body.bytes === 'string') response.end(body.bytes, 'latin1');
  else response.end(body.bytes);
  return status;
}

/** Counts what is answered before routing, for /metrics: public reads by route and status, and refused for overload. */
export class ReadyCounts {
  refused = 0;
  readonly byRoute = new Map<string, { ok: number; notModified: number }>();

  count(route: string, status: number): void {
    let counts = this.byRoute.get(route);
    if (!counts) {
      counts = { ok: 0, notModified: 0 };
      this.byRoute.set(route, counts);
    }
    if (status === 304) counts.notModified += 1;
    else counts.ok += 1;
  }
}

/**
 * Answers a GET whose answer is ready, before any routing.
 * @returns whether it did
 */
export function tryReady(
  request: IncomingMessage,
  response: ServerResponse,
  cache: AnswerCache,
  counts: ReadyCounts,
): boolean {
  if (request.method !== 'GET' || request.url === undefined) return false;
  const answer = cache.find(request.url);
  if (!answer) return false;
  counts.count(answer.route, sendReady(request, response, answer));
  return true;
}
