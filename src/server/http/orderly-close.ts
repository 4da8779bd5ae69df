import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { BOUNDS } from '../limits/bounds.ts';

/** Connections that end with the answer in flight. */
const ending = new WeakSet<Socket>();

/**
 * Closes our side of a connection and reads on for a moment: closing both would have the system answer what still comes
 * with a reset, which throws away the answer that the client has not read yet (RFC 9112 §9.6).
 */
export function linger(socket: Socket): void {
  let left: number = BOUNDS.discardedBytes.max;
  const discard = (piece: Buffer<ArrayBuffer>) => {
    left -= piece.length;
    if (left < 0) socket.destroy();
    // Given back at once: nothing but reads happens here, and 64 MB of pieces would wait for the garbage collector.
    if (piece.buffer.byteLength === piece.length) piece.buffer.transfer(0);
  };
  // Nothing that comes now is a request any more. Listening takes the connection back from Node's parser.
  const listeners = socket.on('data', discard).listeners('data');
  for (const listener of listeners) if (listener !== discard) socket.off('data', listener as () => void);
  const timer = setTimeout(() => socket.destroy(), BOUNDS.discardedFor.max);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
  socket.resume();
  socket.end();
}

/** Sees to it that a connection which ends before this request has come whole is closed so that its answer arrives. */
export function closeInOrder(request: IncomingMessage): void {
  const { socket } = request;
  // What Node calls at the end of an answer that ends its connection.
  socket.destroySoon = () => {
    if (request.complete) Socket.prototype.destroySoon.call(socket);
    else linger(socket);
  };
}

/** Has the connection end with this answer: nothing is served that comes over it afterwards. */
export function endConnection(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  ending.add(request.socket);
}

/** Whether a request came after the last one that its connection is served. */
export function isAfterEnd(request: IncomingMessage, response: ServerResponse): boolean {
  // Node gives the connection to the response whose turn it is; the others came in one piece with the last.
  return !response.socket && ending.has(request.socket);
}

/** Ends the connection of a request that is refused before its body has come, unless the body is known to be short. */
export function endIfLong(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || Number(length) > BOUNDS.readAfterRefusal.max) endConnection(request, response);
}
