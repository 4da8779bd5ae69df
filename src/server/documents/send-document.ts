import type { FastifyReply } from 'fastify';
import type { NewResponse } from '../http/cache/cached-response.ts';
import type { ResponseCache } from '../http/cache/response-cache.ts';
import { sendFreshOrStale } from '../http/cache/send.ts';

/**
 * Sends a document from the cache, and makes it first if it is not there.
 * @param isPersonal whether it is made for this request alone, and stored nowhere
 */
export function sendDocument(
  reply: FastifyReply,
  cache: ResponseCache,
  address: string,
  make: () => Promise<NewResponse>,
  isPersonal = false,
): Promise<void> {
  return sendFreshOrStale(
    reply,
    () =>
      isPersonal
        ? cache.makeUncached(address, make)
        : cache.findOrMake(address, make, reply.request.headers['accept-encoding']),
    () => cache.findStale(address),
  );
}
