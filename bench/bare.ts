// node bench/bare.ts FILE: bare node:http that sends the answers of a file from memory. It is the limit of the
// platform, which the product is measured against.
import { readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeader, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers by address, bodies in base64. */
export type BareAnswers = Record<string, { status: number; type: string; body: string }>;

const answers = new Map(
  Object.entries(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as BareAnswers).map(
    ([url, { status, type, body }]) => {
      const bytes = Buffer.from(body, 'base64');
      const headers: OutgoingHttpHeader[] = ['Content-Type', type, 'Content-Length', String(bytes.length)];
      return [url, { status, bytes, headers }] as const;
    },
  ),
);
const [first] = answers.values();
if (!first) throw new Error('There is nothing to answer.');

const server = createServer((request, response: ServerResponse) => {
  const { status, headers, bytes } = answers.get(request.url ?? '') ?? first;
  const send = () => {
    response.writeHead(request.url === '/bare' ? 200 : status, headers);
    response.end(bytes);
  };
  if (request.method !== 'POST') return send();
  // A posted body is received completely, as by a server that stores it.
  request.on('end', send);
  request.resume();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare: http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('SIGTERM', () => process.exit());
