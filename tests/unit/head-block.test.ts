import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { composeLines } from '../../src/server/http/cache/response-heads.ts';
import { writeHeadBlock } from '../../src/server/http/internals.ts';

const LINES = ['X-Content-Type-Options', 'nosniff', 'ETag', '"1"', 'Content-Type', 'application/json; charset=utf-8'];

/** Everything that a server sends to one client, without the dates. */
async function receive(answer: RequestListener, ...requests: string[]): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(requests.map((line) => `${line}\r\nHost: a\r\n\r\n`).join(''));
  socket.write('GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const all = await text(socket);
  server.close();
  return all.replace(/Date: .*\r\n/g, '');
}

const sorted = (answer: string) => answer.split('\r\n').sort();

describe('a composed head', () => {
  test.each([['GET / HTTP/1.1'], ['GET / HTTP/1.0'], ['HEAD / HTTP/1.1']])(
    'of a 200 to %s is what writeHead sends',
    async (request) => {
      const ours = await receive((_, response) => {
        writeHeadBlock(response, 200, `HTTP/1.1 200 OK\r\n${composeLines(LINES)}`, ['Content-Length', '4', 'Age', '7']);
        response.end('null', 'latin1');
      }, request);
      const byNode = await receive((_, response) => {
        response.writeHead(200, [...LINES, 'Content-Length', '4', 'Age', '7']).end('null');
      }, request);
      expect(sorted(ours)).toEqual(sorted(byNode));
    },
  );

  test('of a 304 carries no body, and the next answer on the connection is whole', async () => {
    const ours = await receive((_, response) => {
      writeHeadBlock(response, 304, `HTTP/1.1 304 Not Modified\r\n${composeLines(LINES)}`, []);
      response.end();
    }, 'GET / HTTP/1.1');
    const byNode = await receive((_, response) => {
      response.writeHead(304, LINES).end();
    }, 'GET / HTTP/1.1');
    expect(sorted(ours)).toEqual(sorted(byNode));
    expect(ours.match(/HTTP\/1\.1 304/g)).toHaveLength(2);
  });

  test.each([
    ['Link', 'a\r\nSet-Cookie: b'],
    ['Li nk', 'a'],
    ['Link', 'a\n'],
    ['Link', 'ü\u0416'],
  ])('refuses %j: %j', (name, value) => {
    expect(() => composeLines([name, value])).toThrow('cannot be sent');
  });
});
