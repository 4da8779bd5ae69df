import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BOUNDS } from './bounds.ts';

/**
 * Returns a function that says whether a connection has pipelined more requests than allowed. Node parses all requests
 * in a packet of 64 kB, and stores their responses, before it stops reading: ten connections used 670 MB and blocked
 * everybody for two seconds.
 */
export function createPipelining(): (request: IncomingMessage, response: ServerResponse) => boolean {
  const ahead = new WeakMap<Socket, number>();

  return ({ socket }, response) => {
    // Node assigns the socket to the oldest unfinished response.
    if (response.socket) return false;
    const waiting = (ahead.get(socket) ?? 0) + 1;
    ahead.set(socket, waiting);
    response.once('close', () => ahead.set(socket, (ahead.get(socket) ?? 1) - 1));
    return waiting > BOUNDS.requestsAhead.max;
  };
}
