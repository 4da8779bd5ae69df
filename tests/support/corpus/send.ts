import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { recordCoverage } from '../coverage.ts';

/** One request as it goes over the wire: `fetch` would tidy paths and headers up first. */
export interface Request {
  readonly method: string;
  /** Sent as it is spelled. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  readonly token?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request and reads all of its answer. A server may answer and hang up before it has read the whole body. */
export function send({ url }: { url: string }, { method, path, headers, body, token }: Request): Promise<Reply> {
  const { hostname, port } = new URL(url);
  recordCoverage(`${method} ${path}`);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const outgoing = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      (incoming) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    outgoing.end(body);
  });
}
