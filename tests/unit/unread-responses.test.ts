import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { inTurn } from '../../src/server/http/limits/connections.ts';
import { limitUnread, markSharedBody } from '../../src/server/http/limits/unread-responses.ts';

/** More bytes than the system buffers while nobody reads. */
const LARGE = 24 * 1024 * 1024;

const opened: Socket[] = [];
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

type Server = Awaited<ReturnType<typeof listen>>;

/** Requests paths in one piece and reads nothing. */
async function ask(server: Server, ...paths: string[]): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  opened.push(socket);
  socket.on('error', () => {});
  const began = once(server, 'request');
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await began;
  return socket;
}

/** Reads until `until` bytes have been read in total, and then pauses. */
async function read(socket: Socket, until: number): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on('data', function onData() {
      if (socket.bytesRead < until) return;
      socket.off('data', onData).pause();
      resolve();
    });
    socket.resume();
  });
}

/** Whether the server has hung up, as soon as the client can know. */
async function isCut(socket: Socket): Promise<boolean> {
  socket.resume();
  const ended = once(socket, 'close').then(() => true);
  const whole = new Promise<boolean>((resolve) => {
    socket.on('data', () => {
      if (socket.bytesRead > LARGE) resolve(false);
    });
  });
  return Promise.race([ended, whole]);
}

describe('responses that nobody reads', () => {
  const body = Buffer.alloc(LARGE);

  async function listenWithLimits(limits: { memory?: number; rate?: number }) {
    const server = await listen(({ url }, response) => {
      if (url !== '/private') markSharedBody(response, body);
      response.writeHead(200, { 'Content-Length': LARGE });
      response.end(body);
    });
    const all = { memory: Number.POSITIVE_INFINITY, rate: 0, slowForMs: 30_000, ...limits };
    return { server, sweep: limitUnread(server, all) };
  }

  test('beyond the memory for them are those of the slowest readers', async () => {
    const { server, sweep } = await listenWithLimits({ memory: 1.5 * LARGE });
    const reading = await ask(server, '/private');
    sweep(0);
    await read(reading, LARGE / 2);
    const [first, second] = [await ask(server, '/private'), await ask(server, '/private')];
    sweep(1_000);
    expect([await isCut(first), await isCut(second), await isCut(reading)]).toEqual([true, true, false]);
  });

  test('count once if they share their body', async () => {
    const { server, sweep } = await listenWithLimits({ memory: 1.5 * LARGE });
    const sharing = [await ask(server, '/'), await ask(server, '/'), await ask(server, '/')];
    sweep(0);
    expect(await Promise.all(sharing.map(isCut))).toEqual([false, false, false]);
    const own = [await ask(server, '/private'), await ask(server, '/private'), await ask(server, '/private')];
    sweep(1_000);
    expect((await Promise.all(own.map(isCut))).filter(Boolean)).toHaveLength(2);
  });

  test('are given up after half a minute of hardly any reading', async () => {
    const { server, sweep } = await listenWithLimits({ rate: 1_024 });
    const [silent, reading] = [await ask(server, '/'), await ask(server, '/')];
    for (let second = 0; second <= 30; second += 1) {
      await read(reading, ((second + 1) * LARGE) / 64);
      sweep(second * 1_000);
    }
    expect([await isCut(silent), await isCut(reading)]).toEqual([true, false]);
  });
});

test('a request sent ahead is served when the response before it was taken', async () => {
  const served: string[] = [];
  const server = await listen(
    inTurn(({ url = '' }, response) => {
      served.push(url);
      response.writeHead(200, { 'Content-Length': LARGE }).end(Buffer.alloc(LARGE));
    }),
  );
  const socket = await ask(server, '/1', '/2', '/3');
  // Another connection does not wait for it.
  await ask(server, '/other');
  expect(served).toEqual(['/1', '/other']);
  await read(socket, LARGE);
  await expect.poll(() => served).toEqual(['/1', '/other', '/2']);
  await read(socket, 3 * LARGE);
  expect(served).toEqual(['/1', '/other', '/2', '/3']);
});
