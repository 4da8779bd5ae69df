import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CachedBody } from '../../src/server/http/cache/cached-response.ts';
import { createMessages, type Messages } from '../../src/server/http/cache/messages.ts';
import { createResponseCache } from '../../src/server/http/cache/response-cache.ts';
import { trySendCached } from '../../src/server/http/cache/send.ts';
import { FrontCounts } from '../../src/server/http/front-counts.ts';

const OPEN = ['X-Content-Type-Options', 'nosniff'];
const HEADERS = { calls: [], documents: [], documentsWithForm: [], open: OPEN };
const TEXT = '{"name":"Université"}';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server with one cached response at /a, and a clock that the test sets. */
async function serveCached() {
  const clock = { now: Date.UTC(2026, 10, 27, 12) };
  const cache = createResponseCache(100_000, HEADERS, 60, () => clock.now);
  const { plain } = await cache.findOrMake('/a', async () => ({ route: '/a', text: TEXT, tags: [], format: 'json' }));
  const server = createServer((request, response) => {
    if (!trySendCached(request, response, cache, new FrontCounts())) response.writeHead(404).end();
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    clock,
    /** The message of the response, once there is one. */
    findMessage: () => cache.messages.find(200, plain),
    /** The answers to requests that one connection sends after one another, without their dates. */
    async ask(...heads: string[]): Promise<string[]> {
      const socket = connect(port, '127.0.0.1');
      const last = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      socket.write([...heads.map((head) => `${head}\r\nHost: a\r\n\r\n`), last].join(''));
      const answers = (await text(socket)).split(/(?=HTTP\/1\.1 )/);
      return answers.filter((answer) => !answer.includes(' 404 ')).map((answer) => answer.replace(/Date: .*\r\n/, ''));
    },
  };
}

const GET = 'GET /a HTTP/1.1';

describe('a response that is sent again within a second', () => {
  test('is the same, byte for byte', async () => {
    const { ask } = await serveCached();
    const [first, ...others] = await ask(GET, GET, GET, GET);
    expect(first).toContain(`Keep-Alive: timeout=5\r\n\r\n${TEXT}`);
    expect(first).toContain('X-Content-Type-Options: nosniff\r\n');
    expect(others).toEqual([first, first, first]);
  });

  test('is the same when the client has it already', async () => {
    const { ask } = await serveCached();
    const [whole = ''] = await ask(GET);
    const known = `${GET}\r\nIf-None-Match: ${/ETag: (.*)\r\n/.exec(whole)?.[1]}`;
    const [first, ...others] = await ask(known, known, known, GET, GET);
    expect(first).toMatch(/^HTTP\/1\.1 304 Not Modified\r\n/);
    expect(first).toMatch(/\r\n\r\n$/);
    expect(others).toEqual([first, first, whole, whole]);
  });

  test('is sent from its message', async () => {
    const { ask, findMessage } = await serveCached();
    // When a second has just begun, there is none yet.
    const repeat = async () => {
      const answers = await ask(GET, GET, GET);
      return (
        answers.at(-1) ===
        findMessage()
          ?.toString()
          .replace(/Date: .*\r\n/, '')
      );
    };
    await expect.poll(repeat).toBe(true);
  });

  test('ends the connection where that was asked for', async () => {
    const { ask } = await serveCached();
    await ask(GET, GET, GET);
    expect(await ask('GET /a HTTP/1.0')).toEqual([expect.stringContaining('\r\nConnection: close\r\n')]);
    const [closed] = await ask(`${GET}\r\nConnection: close`);
    expect(closed).toContain(`\r\nConnection: close\r\n\r\n${TEXT}`);
  });

  test('has another head in the next second', async () => {
    const { clock, ask } = await serveCached();
    clock.now = Date.UTC(2026, 10, 27, 23, 59, 30);
    const [early] = await ask(GET, GET, GET);
    clock.now += 10_000;
    const [late, ...others] = await ask(GET, GET, GET);
    expect(early).toContain('s-maxage=29,');
    expect(late).toBe(early?.replace('s-maxage=29,', 's-maxage=19,'));
    expect(others).toEqual([late, late]);
  });
});

describe('the messages of a second', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const bodyOf = (length: number): CachedBody => ({
    bytes: Buffer.alloc(length, 'a'),
    etag: '"1"',
    lines: '',
    length: String(length),
  });
  const headAt = (time: number) => `HTTP/1.1 200 OK\r\nDate: ${new Date(time).toUTCString()}\r\n\r\n`;

  /** Whether a body has a message after it was sent twice. */
  function isKept(messages: Messages, body: CachedBody, head = headAt(Date.now())): boolean {
    messages.add(200, body, head);
    messages.add(200, body, head);
    return messages.find(200, body) !== undefined;
  }

  test('are none of long bodies, and are limited together', () => {
    const messages = createMessages();
    expect(isKept(messages, bodyOf(100_000))).toBe(false);
    const bodies = Array.from({ length: 300 }, () => bodyOf(60_000));
    expect(bodies.filter((body) => isKept(messages, body))).toHaveLength(140);
    messages.clear();
    expect(isKept(messages, bodyOf(60_000))).toBe(true);
  });

  test('have its date, even if Node still sends the one before', () => {
    const messages = createMessages();
    const body = bodyOf(60);
    expect(isKept(messages, body, headAt(Date.now() - 1_000))).toBe(false);
    expect(isKept(messages, body)).toBe(true);
  });
});
