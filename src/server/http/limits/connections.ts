import type { RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';
import { clientBlock } from './addresses.ts';
import { BOUNDS } from './bounds.ts';

interface ConnectionLimit {
  /** The maximum number of open connections of one address. */
  max: number;
  /** Whether an address is a proxy's, whose connections belong to many clients. */
  isTrusted: (address: string) => boolean;
  /** Called for each connection that is closed. */
  onRefused(): void;
}

/** Closes new connections of an address that has too many open, so that one client cannot take all of them. */
export function limitConnections(server: Server, { max, isTrusted, onRefused }: ConnectionLimit): void {
  const openByAddress = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (!remoteAddress || isTrusted(remoteAddress)) return;
    const address = clientBlock(remoteAddress);
    const held = openByAddress.get(address) ?? 0;
    if (held >= max) {
      onRefused();
      socket.destroy();
      return;
    }
    openByAddress.set(address, held + 1);
    socket.once('close', () => {
      const left = (openByAddress.get(address) ?? 1) - 1;
      if (left > 0) openByAddress.set(address, left);
      else openByAddress.delete(address);
    });
  });
}

/**
 * Serves the requests of a connection one after another: each one when the system has taken the whole response to the
 * one before. Node would serve all requests of a packet of 64 kB at once, and store their responses: ten connections
 * used 670 MB and blocked everybody for two seconds.
 */
export function inTurn(serve: RequestListener): RequestListener {
  const requestsAhead = new WeakMap<Socket, number>();

  return (request, response) => {
    // Node assigns the socket to the oldest unfinished response.
    if (response.socket) {
      serve(request, response);
      return;
    }
    const { socket } = request;
    const waiting = (requestsAhead.get(socket) ?? 0) + 1;
    if (waiting > BOUNDS.requestsAhead.max) {
      socket.destroy();
      return;
    }
    requestsAhead.set(socket, waiting);
    response.once('socket', () => {
      requestsAhead.set(socket, (requestsAhead.get(socket) ?? 1) - 1);
      setImmediate(serve, request, response);
    });
  };
}
