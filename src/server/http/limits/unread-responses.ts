import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { countTakenBytes, findResponse } from '../internals.ts';
import { BOUNDS } from './bounds.ts';

const SWEEP_EVERY_MS = 1_000;

interface Limits {
  /** Bytes. */
  readonly memory: number;
  /** Bytes a second. */
  readonly rate: number;
  readonly slowForMs: number;
}

/** A connection whose client has not read all of its response. */
interface Unread {
  readonly socket: Socket;
  readonly bytes: number;
  /** An object that is the same for all responses that share their memory. */
  readonly body: object;
  /** How many bytes of the response the system has taken since the last sweep. */
  readonly progress: number;
}

const LIMITS: Limits = {
  memory: BOUNDS.unread.max,
  rate: BOUNDS.readEachSecond.max,
  slowForMs: BOUNDS.readSlowlyFor.max,
};

/** The memory that a response shares with others. */
const SHARED_MEMORY = Symbol('shared');

interface SharingResponse extends ServerResponse {
  [SHARED_MEMORY]?: object;
}

/**
 * Marks a response that is sent from the memory of a cached body, which counts once for all of its readers. The mark is
 * a property of the response: an entry of a weak map took 4 % of the time of sending 56 kB.
 */
export function markSharedBody(response: SharingResponse, body: Buffer): void {
  response[SHARED_MEMORY] = body.buffer;
}

/**
 * Limits the memory for responses that clients do not read: closes the connection of a client that reads too slowly for
 * too long, and when all unread responses need too much memory, the connections of the slowest readers. Checks
 * connections every second, so that sending costs nothing.
 * @returns the check, for tests
 */
export function limitUnread(server: Server, limits: Limits = LIMITS): (now: number) => void {
  const sockets = new Set<Socket>();
  const readings = new WeakMap<Socket, { taken: number; slowSince: number }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function inspect(socket: Socket, now: number): Unread | undefined {
    const bytes = socket.writableLength;
    if (bytes === 0) {
      readings.delete(socket);
      return undefined;
    }
    const taken = countTakenBytes(socket);
    const reading = readings.get(socket) ?? { taken, slowSince: now };
    const progress = taken - reading.taken;
    const isSlow = progress * 1_000 < limits.rate * SWEEP_EVERY_MS;
    readings.set(socket, { taken, slowSince: isSlow ? reading.slowSince : now });
    if (isSlow && now - reading.slowSince >= limits.slowForMs) socket.destroy();
    const response: SharingResponse | undefined = findResponse(socket);
    return { socket, bytes, body: response?.[SHARED_MEMORY] ?? socket, progress };
  }

  function sweep(now: number): void {
    const unread = [...sockets].flatMap((socket) => inspect(socket, now) ?? []);
    const byBody = Map.groupBy(unread, ({ body }) => body);
    const sizeOf = (readers: readonly Unread[]) => Math.max(...readers.map(({ bytes }) => bytes));
    let memory = 0;
    for (const readers of byBody.values()) memory += sizeOf(readers);
    // A body is freed only when its last reader is gone. So a body is as slow as its fastest reader, and the slowest
    // bodies are dropped first, with all their readers.
    const progressOf = (readers: readonly Unread[]) => Math.max(...readers.map(({ progress }) => progress));
    const slowestFirst = [...byBody.values()].sort((one, other) => progressOf(one) - progressOf(other));
    for (const readers of slowestFirst) {
      if (memory <= limits.memory) return;
      memory -= sizeOf(readers);
      for (const { socket } of readers) socket.destroy();
    }
  }

  const timer = setInterval(() => sweep(performance.now()), SWEEP_EVERY_MS).unref();
  server.once('close', () => clearInterval(timer));
  return sweep;
}
