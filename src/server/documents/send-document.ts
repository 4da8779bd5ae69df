import type { FastifyReply } from 'fastify';
import type { NewResponse } from '../http/cache/cached-response.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { sendFreshOrStale } from '../http/cache/send.ts';

/** Sends a document from the cache, and makes it first if it is not there. */
export function sendDocument(
  reply: FastifyReply,
  cache: ResponseCache,
  address: string,
  make: () => Promise<NewResponse>,
): Promise<void> {
  return sendFreshOrStale(
    reply,
    () => cache.findOrMake(address, make, reply.request.headers['accept-encoding']),
    () => cache.findStale(address),
  );
}

/** Sends a document that is made for this request alone and is nowhere stored. */
export function sendPersonalDocument(
  reply: FastifyReply,
  cache: ResponseCache,
  address: string,
  make: () => Promise<NewResponse>,
): Promise<void> {
  return sendFreshOrStale(
    reply,
    () => cache.makeUncached(address, make),
    () => undefined,
  );
}
