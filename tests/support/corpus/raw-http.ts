import { connect } from 'node:net';
import type { Reply } from './send.ts';

/** Bytes as they go over the wire, and the status of the first answer; without one the connection is only closed. */
export interface RawCase {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly status?: number;
}

const HOST = 'Host: 127.0.0.1\r\n';
const CANARY = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
const post = (headers: string, body: string) =>
  `POST /auth/forgotPassword HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;
const get = (headers: string, path = '/auth/schools') => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

/** Requests that are not HTTP or contradict themselves: each gets a 400 and ends the connection, whatever follows. */
const BROKEN: Record<string, string | Uint8Array> = {
  'length and chunks': post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  'chunks and length': post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '0\r\n\r\n'),
  'two lengths': post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
  'two equal lengths': post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'),
  'list of lengths': post('Content-Length: 2, 2\r\n', '{}'),
  'negative length': post('Content-Length: -1\r\n', '{}'),
  'signed length': post('Content-Length: +2\r\n', '{}'),
  'hexadecimal length': post('Content-Length: 0x2\r\n', '{}'),
  'length of 30 digits': post(`Content-Length: ${'9'.repeat(30)}\r\n`, '{}'),
  'length of nothing': post('Content-Length:\r\n', '{}'),
  'blank before the colon': post('Content-Length : 2\r\n', '{}'),
  'coding nobody knows': post('Transfer-Encoding: nonsense\r\n', '{}'),
  'chunked before another coding': post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'),
  'coding with a byte before': post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n'),
  'chunk size that is none': post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
  'negative chunk size': post('Transfer-Encoding: chunked\r\n', '-2\r\n{}\r\n0\r\n\r\n'),
  'chunk longer than said': post('Transfer-Encoding: chunked\r\n', '1\r\n{}\r\n0\r\n\r\n'),
  'chunk size beyond all': post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`),
  'two Hosts': get(`${HOST}Host: other.example\r\n`),
  'two equal Hosts': get(`${HOST}HOST: 127.0.0.1\r\n`),
  'folded header': get(`${HOST}X-Folded: a\r\n b\r\n`),
  'header of no name': get(`${HOST}: x\r\n`),
  'header of no colon': get(`${HOST}nonsense\r\n`),
  'header name with a blank': get(`${HOST}X Y: z\r\n`),
  'NUL in a header': get(`${HOST}X-Nul: a\0b\r\n`),
  'bare line feed in a header': get(`${HOST}X-Line: a\nX-Other: b\r\n`),
  'bare carriage return in a header': get(`${HOST}X-Line: a\rb\r\n`),
  'blank in the address': get(HOST, '/auth/schools x'),
  'no address': `GET  HTTP/1.1\r\n${HOST}\r\n`,
  'address of no slash': get(HOST, 'auth/schools'),
  'method nobody knows': `NONSENSE /auth/schools HTTP/1.1\r\n${HOST}\r\n`,
  'method in small letters': `get /auth/schools HTTP/1.1\r\n${HOST}\r\n`,
  'method of signs': `<> /auth/schools HTTP/1.1\r\n${HOST}\r\n`,
  'version of letters': `GET /auth/schools HTTP/x.y\r\n${HOST}\r\n`,
  'another protocol': `GET /auth/schools FTP/1.1\r\n${HOST}\r\n`,
  'only nonsense': 'nonsense\r\n\r\n',
  'greeting of TLS': Uint8Array.from([0x16, 3, 1, 0, 0xa5, 1, 0, 0, 0xa1, 3, 3, ...Array(32).fill(7)]),
  'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'answer for a request': 'HTTP/1.1 200 OK\r\n\r\n',
};

/** Valid HTTP that is too large, or that the product does not support. */
const UNSUPPORTED: RawCase[] = [
  { name: 'header of 20 kB', bytes: get(`${HOST}X-Long: ${'x'.repeat(20_000)}\r\n`), status: 431 },
  { name: 'address of 20 kB', bytes: get(HOST, `/${'x'.repeat(20_000)}`), status: 431 },
  { name: 'two thousand headers of a byte', bytes: get(`${HOST}${'a: b\r\n'.repeat(5_000)}`), status: 431 },
];

/** Answered by Node before the product sees it: without a sentence, or without a body. */
export const SILENT_CASES: readonly RawCase[] = [
  { name: 'tunnel', bytes: `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n` },
  { name: 'no Host', bytes: get(''), status: 400 },
];

export const RAW_CASES: readonly RawCase[] = [
  ...Object.entries(BROKEN).map(([name, bytes]) => ({ name, bytes, status: 400 })),
  ...UNSUPPORTED,
];

/** Valid but unusual HTTP: served as usual, or refused as calls are. */
export const ODD_CASES: readonly RawCase[] = [
  { name: 'address of another host', bytes: get(HOST, 'http://elsewhere.example/auth/schools'), status: 200 },
  { name: 'asterisk for an address', bytes: `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, status: 404 },
  { name: 'fragment in the address', bytes: get(HOST, '/auth/schools#x'), status: 200 },
  { name: 'two hundred headers', bytes: get(`${HOST}${'X-Many: y\r\n'.repeat(200)}`), status: 200 },
  { name: 'chunks', bytes: post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), status: 400 },
  { name: 'version 0.9', bytes: 'GET /auth/schools\r\n\r\n', status: 200 },
  { name: 'version 2.0 in words', bytes: `GET /auth/schools HTTP/2.0\r\n${HOST}\r\n`, status: 200 },
  { name: 'version 1.0', bytes: 'GET /auth/schools HTTP/1.0\r\n\r\n', status: 200 },
  { name: 'empty lines first', bytes: `\r\n\r\n${get(HOST)}`, status: 200 },
  { name: 'expectation nobody meets', bytes: get(`${HOST}Expect: nonsense\r\n`), status: 200 },
  { name: 'upgrade to nothing known', bytes: get(`${HOST}Connection: Upgrade\r\nUpgrade: nonsense\r\n`), status: 200 },
  { name: 'upgrade to WebSocket', bytes: get(`${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n`), status: 200 },
];

/**
 * Sends bytes and one request more on the same connection.
 * @param isEnough when to hang up; else the server has to
 * @returns everything that was received
 */
export function exchange(
  { url }: { url: string },
  bytes: string | Uint8Array,
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      socket.write(CANARY);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) socket.destroy();
    });
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(text));
    // A server that closes before it has read everything resets the connection: what it sent before counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

/** Whether the first answer is there with its body. */
export function hasFirstAnswer(text: string): boolean {
  const { reply } = readFirstAnswer(text);
  return reply.status > 0 && Buffer.byteLength(reply.text, 'latin1') >= Number(reply.headers['content-length'] ?? 0);
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3})/;

/** The first response in a text that was received, and the number of responses in it. */
export function readFirstAnswer(text: string): { reply: Reply; count: number } {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, Math.max(0, end)).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((one) => [one.slice(0, one.indexOf(':')).toLowerCase(), one.slice(one.indexOf(':') + 1).trim()]),
  );
  const body = text.slice(end + 4, end + 4 + Number(headers['content-length'] ?? 0));
  const count = text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
  return { reply: { status: Number(STATUS_LINE.exec(line)?.[1] ?? 0), headers, text: body }, count };
}
