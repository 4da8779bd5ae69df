import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

// The undocumented parts of Node that the product uses. Node's version is pinned, the product does not start with a
// version that lacks them, and tests compare each function with the documented one that it replaces.

interface ResponseInternals {
  _hasBody: boolean;
  _header: string | null;
  _headerSent: boolean;
  _storeHeader(head: string, lines: readonly string[]): void;
}

interface SocketInternals {
  /** How many bytes Node has handed to the handle. Of these, the system has not taken `writeQueueSize` yet. */
  readonly _bytesDispatched: number;
  readonly _handle: { readonly writeQueueSize: number } | null;
  /** The response that is being sent. Node's server sets it on each socket, and removes it when all is written. */
  readonly _httpMessage?: ServerResponse | null;
}

/** @throws when Node lacks what this file uses */
export function requireInternals(): void {
  const response = new ServerResponse({ method: 'GET' } as IncomingMessage);
  const socket = new Socket();
  response.assignSocket(socket);
  const isSupported =
    findResponse(socket) === response &&
    '_hasBody' in response &&
    '_header' in response &&
    '_headerSent' in response &&
    '_storeHeader' in response &&
    typeof response._storeHeader === 'function' &&
    '_bytesDispatched' in Socket.prototype;
  if (!isSupported) throw new Error(`The product is not made for Node ${process.version}.`);
}

/**
 * Writes a head whose lines are one text already. `writeHead` would check and join the same dozen lines for every
 * response: 1 µs of the 10 that a short cached response takes. Node still adds Date, Connection and Keep-Alive.
 * @param head the status line and header lines
 * @param lines of this response only: name, value, name, value, …
 */
export function writeHeadBlock(response: ServerResponse, status: number, head: string, lines: readonly string[]): void {
  const internals = response as unknown as ResponseInternals;
  response.statusCode = status;
  if (status === 304) internals._hasBody = false;
  internals._storeHeader(head, lines);
}

/** The head of a response with the lines that Node has added. */
export const headOf = (response: ServerResponse): string => (response as unknown as ResponseInternals)._header ?? '';

/** Sends the bytes of a head and a body that Node has sent before. */
export function sendMessage(response: ServerResponse, status: number, message: Buffer): void {
  const internals = response as unknown as ResponseInternals;
  response.statusCode = status;
  // Node writes no head when one is there and was sent.
  internals._header = 'in the message';
  internals._headerSent = true;
  response.end(message);
}

/** How many of a socket's bytes the operating system has taken. `writableLength` would count only whole writes. */
export function countTakenBytes(socket: Socket): number {
  const { _bytesDispatched: dispatched, _handle: handle } = socket as unknown as SocketInternals;
  return dispatched - (handle?.writeQueueSize ?? 0);
}

/** The response that a server's socket is sending; undefined after the last of its bytes has been taken. */
export const findResponse = (socket: Socket): ServerResponse | undefined =>
  (socket as unknown as SocketInternals)._httpMessage ?? undefined;

/**
 * Replaces the function with which Node closes a connection after its last response.
 * @param close gets Node's own function, which it may call
 */
export function overrideClose(socket: Socket, close: (closeAsNode: () => void) => void): void {
  socket.destroySoon = () => close(() => Socket.prototype.destroySoon.call(socket));
}
