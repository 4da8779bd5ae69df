import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BOUNDS } from './bounds.ts';

/**
 * Whether a connection has sent more requests ahead than it may. Node reads all that lie in one piece of 64 kB, and
 * keeps their answers, before it stops reading: ten connections held 670 MB and everybody up for two seconds.
 */
export function createPipelining(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const ahead = new WeakMap<Socket, number>();

  return ({ socket }, response) => {
    // Node gives the connection to the response whose turn it is.
    if (response.socket) return false;
    const waiting = (ahead.get(socket) ?? 0) + 1;
    ahead.set(socket, waiting);
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
    return waiting > BOUNDS.requestsAhead.max;
  };
}
