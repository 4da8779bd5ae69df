import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { overrideClose } from './internals.ts';
import { BOUNDS } from './limits/bounds.ts';

/** Frees a piece of a body that nobody needs: the garbage collector would wait for 64 MB of them. */
export function freeAtOnce({ buffer, length }: Buffer<ArrayBuffer>): void {
  // A buffer with others beside it cannot be freed by itself.
  if (buffer.byteLength === length) buffer.transfer(0);
}

/**
 * Closes our side of a connection and keeps reading for a moment. If both sides were closed, the system would answer
 * further data with a reset, and the client would lose the response that it has not read yet (RFC 9112 §9.6).
 */
export function closeLingering(socket: Socket): void {
  let left: number = BOUNDS.discardedBytes.max;
  const discard = (piece: Buffer<ArrayBuffer>) => {
    left -= piece.length;
    if (left < 0) socket.destroy();
    freeAtOnce(piece);
  };
  // Data that arrives now is no request. A data listener takes the socket back from Node's parser.
  const listeners = socket.on('data', discard).listeners('data');
  for (const listener of listeners) if (listener !== discard) socket.off('data', listener as () => void);
  const timer = setTimeout(() => socket.destroy(), BOUNDS.discardedFor.max);
  socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer));
  socket.resume();
  socket.end();
}

/**
 * When a connection has to end before its request is complete, closes it so that the client can still read the
 * response.
 */
export function closeInOrder(request: IncomingMessage): void {
  const { socket } = request;
  overrideClose(socket, (closeAsNode) => (request.complete ? closeAsNode() : closeLingering(socket)));
}

/** Closes the connection after this response. Requests that have arrived after it are not served. */
export function endConnection(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/**
 * Closes the connection of a request that is refused before its body has arrived, unless the body is known to be short.
 */
export function endIfLong(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || Number(length) > BOUNDS.readAfterRefusal.max) endConnection(response);
}
