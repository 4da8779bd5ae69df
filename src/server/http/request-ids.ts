import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { readTrust } from './trusted-proxies.ts';

/** In each line of the log about a request, and on its answer, unless that comes from the cache. */
export const REQUEST_ID = 'X-Request-Id';

/** The ids that proxies make: nginx's has 32 digits. */
const PROXY_ID = /^[\w-]{16,64}$/;

/** Makes the function that gives a request its id: that of a trusted proxy, which logs it too, or a new one. */
export function createRequestIds(trustProxy: boolean | string): (request: IncomingMessage) => string {
  const isTrusted = readTrust(trustProxy) ?? (() => false);
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    const isGiven = typeof given === 'string' && PROXY_ID.test(given) && isTrusted(socket.remoteAddress ?? '');
    return isGiven ? given : randomUUID();
  };
}
