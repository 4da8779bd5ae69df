import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { limitConnections } from '../../src/server/http/limits/connections.ts';

const opened: Socket[] = [];
const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function serve(isTrusted: (address: string) => boolean, onRefused = () => {}): Promise<number> {
  const server = createServer((_request, response) => response.end('served'));
  servers.push(server);
  limitConnections(server, { max: 3, isTrusted, onRefused });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Opens a connection and keeps it open. @returns it once the server has answered or hung up */
async function open(port: number): Promise<{ socket: Socket; isServed: boolean }> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  // The server may hang up while this writes: that is no error.
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const answered = once(socket, 'data').then(() => true);
  const closed = once(socket, 'close').then(() => false);
  return { socket, isServed: await Promise.race([answered, closed]) };
}

test('an address holds as many connections as it may, and a new one for each that it closes', async () => {
  const onRefused = vi.fn();
  const port = await serve(() => false, onRefused);
  const held = [await open(port), await open(port), await open(port)];
  expect(held.map(({ isServed }) => isServed)).toEqual([true, true, true]);
  expect((await open(port)).isServed).toBe(false);
  expect(onRefused).toHaveBeenCalledOnce();
  held[0]?.socket.destroy();
  await expect.poll(async () => (await open(port)).isServed).toBe(true);
});

test('a trusted proxy brings as many as come', async () => {
  const port = await serve((address) => address === '127.0.0.1');
  for (let count = 0; count < 5; count += 1) expect((await open(port)).isServed).toBe(true);
});
