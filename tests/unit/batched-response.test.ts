import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BatchedResponse } from '../../src/server/http/batched-response.ts';
import { runWork, Work } from '../../src/server/http/limits/processor-time.ts';

describe('responses that end in the same iteration of the event loop', () => {
  const server = createServer({ ServerResponse: BatchedResponse });
  let clients: Socket[];
  beforeEach(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    clients = Array.from({ length: 3 }, () => connect((server.address() as AddressInfo).port, '127.0.0.1'));
  });
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  /** Sends a request on each connection, or on one. @returns its response, once the request is there */
  async function receive(request: string, [...senders] = clients): Promise<ServerResponse[]> {
    const responses: ServerResponse[] = [];
    for (const client of senders) {
      const arrived = once(server, 'request');
      client.write(request);
      responses.push((await arrived)[1]);
    }
    await setImmediate();
    return responses;
  }

  const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const writtenTo = (responses: readonly ServerResponse[]) => responses.map(({ socket }) => socket?.bytesWritten ?? -1);

  async function endTogether(): Promise<void> {
    for (const response of await receive(get)) response.end();
    await setImmediate();
  }

  test('are written together at its end, once several have ended in one', async () => {
    await endTogether();
    const responses = await receive(get);
    const before = writtenTo(responses);
    for (const [index, response] of responses.entries()) response.end(`answer ${index}`);
    expect(writtenTo(responses)).toEqual(before);
    for (const [index, client] of clients.entries())
      for await (const bytes of client.iterator({ destroyOnReturn: false }))
        if (String(bytes).endsWith(`\r\n\r\nanswer ${index}`)) break;
  });

  test('are written at once while they come one by one', async () => {
    const written: boolean[] = [];
    for (const client of clients) {
      const [response] = await receive(get, [client]);
      const socket = response?.socket;
      const before = socket?.bytesWritten ?? 0;
      response?.end('answer');
      written.push((socket?.bytesWritten ?? 0) > before);
      await setImmediate();
    }
    // The first one does not know yet that no others come with it.
    expect(written.slice(1)).toEqual([true, true]);
  });

  test('are written at once before their requests are complete', async () => {
    await endTogether();
    const responses = await receive('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    const sockets = responses.map(({ socket }) => socket);
    const before = writtenTo(responses);
    for (const response of responses) response.end('refused');
    for (const [index, socket] of sockets.entries()) expect(socket?.bytesWritten).toBeGreaterThan(before[index] ?? 0);
  });

  test('are charged to the request that each answers', async () => {
    await endTogether();
    const responses = await receive(get);
    const works = responses.map(() => new Work([]));
    for (const [index, response] of responses.entries()) runWork(works[index] as Work, () => response.end('answer'));
    // The work of ending them is charged in a tick.
    await new Promise((resolve) => process.nextTick(process.nextTick, resolve));
    const before = works.map(({ milliseconds }) => milliseconds);
    expect(responses.some(({ writableEnded }) => writableEnded)).toBe(false);
    await Promise.all(responses.map((response) => once(response, 'finish')));
    for (const [index, { milliseconds }] of works.entries()) expect(milliseconds).toBeGreaterThan(before[index] ?? 0);
  });
});
