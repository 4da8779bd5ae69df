import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BOUNDS } from '../../src/server/http/limits/bounds.ts';
import { call } from '../support/call.ts';
import { createUser } from '../support/rows.ts';
import { productOf } from '../support/site.ts';

const product = productOf('sqlite');

const DRIP_EVERY_MS = 500;

/** Sends the beginning of something and then a byte at a time. @returns what came back before the server hung up */
async function drip(beginning: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  // The server may hang up while this writes: that is no error.
  socket.on('error', () => {});
  socket.write(beginning);
  const dripping = setInterval(() => socket.write('a'), DRIP_EVERY_MS);
  await once(socket, 'close');
  clearInterval(dripping);
  return answer;
}

test('who sends a request drop by drop is cut, fifty at once and beside others who are answered', async () => {
  const body =
    'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"';
  const dripping = Promise.all(
    Array.from({ length: 50 }, (_, index) => drip(index % 2 === 0 ? 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ' : body)),
  );
  let answered = 0;
  let isOver = false;
  void dripping.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    expect((await call(product, 'GET /auth/schools?limit=1')).status).toBe(200);
    answered += 1;
  }
  for (const answer of await dripping) expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
  expect(answered).toBeGreaterThan(0);
});

test('the server refuses and cuts as the table of bounds says', () => {
  const { maxConnections, timeout, keepAliveTimeout, headersTimeout, requestTimeout } = product.app.server.server;
  expect({ maxConnections, timeout, keepAliveTimeout, headersTimeout, requestTimeout }).toEqual({
    maxConnections: BOUNDS.connections.max,
    timeout: BOUNDS.inactivity.max,
    keepAliveTimeout: BOUNDS.keepAlive.max,
    headersTimeout: BOUNDS.headersWithin.max,
    requestTimeout: BOUNDS.requestWithin.max,
  });
});

test('a client that disconnects at once is not a server error', async () => {
  const user = await createUser(product);
  const request = `GET /auth/getProfile/${user.id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${user.token}\r\n\r\n`;
  for (let count = 0; count < 100; count += 1) {
    const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request, () => socket.resetAndDestroy());
    await once(socket, 'close');
  }
  expect((await call(product, `GET /auth/getProfile/${user.id}`, { token: user.token })).status).toBe(200);
  expect(product.logs.filter(({ level }) => level >= 50)).toEqual([]);
});

test('a connection that has no address any more is closed', async () => {
  const [client, connection] = duplexPair();
  product.app.server.server.emit('connection', connection);
  client.write('GET /auth/schools HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await text(client)).toBe('');
});

/** Sends requests in one piece. @returns the statuses that came back before either side hung up */
async function sendAhead(count: number, lines = ''): Promise<string[]> {
  const socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  let answer = '';
  const statuses = () => answer.match(/HTTP\/1\.1 \d+/g) ?? [];
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    answer += chunk;
    if (statuses().length === count) socket.destroy();
  });
  socket.write(`GET /auth/schools?limit=1 HTTP/1.1\r\nHost: a\r\n${lines}\r\n`.repeat(count));
  await once(socket, 'close');
  return statuses();
}

test('who sends a few requests ahead is answered in order, who sends many is hung up on', async () => {
  expect(await sendAhead(30)).toEqual(Array(30).fill('HTTP/1.1 200'));
  expect((await sendAhead(1_000)).length).toBeLessThan(1_000);
  expect((await call(product, 'GET /auth/schools?limit=1')).status).toBe(200);
});

test('who sends a request ahead of one to upgrade is hung up on after the answer, whatever may be cached', async () => {
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  for (const _ of Array(2)) expect(await sendAhead(2, upgrade)).toEqual(['HTTP/1.1 200']);
});

test('who sends a body in crumbs is refused before it is whole', async () => {
  const head = 'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
  const send = async (chunk: string, count: number) => {
    const socket: Socket = connect(Number(new URL(product.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (data) => (answer += data));
    socket.on('error', () => {});
    const sent = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count);
    socket.write(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${sent}0\r\n\r\n`);
    await once(socket, 'close');
    return answer;
  };
  expect(await send(' ', 300)).toMatch(/^HTTP\/1\.1 400 .*The body comes in too many small pieces\./s);
  // Larger pieces, and a short body of small ones, are read to the end. The body is refused for want of a value.
  expect(await send(' '.repeat(100), 600)).toMatch(/^HTTP\/1\.1 400 .*not valid JSON/s);
  expect(await send(' ', 200)).toMatch(/^HTTP\/1\.1 400 .*not valid JSON/s);
});

test('nothing is done that came in one piece with a request that names two hosts', async () => {
  const { id, token } = await createUser(product);
  const socket: Socket = connect(Number(new URL(product.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data));
  const authorization = `Authorization: Bearer ${token}`;
  const logout = `POST /auth/logoutAll HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Length: 0\r\n\r\n`;
  socket.write(`GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${logout}`);
  await once(socket, 'close');
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  expect((await call(product, `GET /auth/getProfile/${id}`, { token })).status).toBe(200);
});
