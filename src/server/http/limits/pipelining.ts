import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BOUNDS } from './bounds.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the requests of a connection one after another: the next one when the system has taken the whole response to
 * the last. Node would serve all requests of a packet of 64 kB at once, and store their responses: ten connections used
 * 670 MB and blocked everybody for two seconds.
 */
export function inTurn(serve: Serve): Serve {
  const ahead = new WeakMap<Socket, number>();

  return (request, response) => {
    // Node assigns the socket to the oldest unfinished response.
    if (response.socket) {
      serve(request, response);
      return;
    }
    const { socket } = request;
    const waiting = (ahead.get(socket) ?? 0) + 1;
    if (waiting > BOUNDS.requestsAhead.max) {
      socket.destroy();
      return;
    }
    ahead.set(socket, waiting);
    response.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1);
      setImmediate(serve, request, response);
    });
  };
}
