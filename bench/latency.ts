import { Agent, request } from 'node:http';
import os from 'node:os';
import { readNextQuery } from '../src/contract/call.ts';
import { verdict } from './sections.ts';

interface TimedRequest {
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly address: string;
  readonly token?: string;
  readonly body?: object;
}

interface TimedAnswer {
  readonly status: number;
  readonly body: string;
  readonly milliseconds: number;
  /** The query of the next page, if there is one. */
  readonly next: Record<string, string> | undefined;
}

export interface Client {
  ask(request: TimedRequest): Promise<TimedAnswer>;
  close(): void;
}

/** Opens a client whose connections stay open. It has as many as requests were in flight at once. */
export function openClient(origin: string): Client {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: ({ method = 'GET', address, token, body }) =>
      new Promise((resolve, reject) => {
        const text = body && JSON.stringify(body);
        const headers = {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        };
        const began = performance.now();
        const sent = request(origin + address, { method, headers, agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.once('end', () => {
            const milliseconds = performance.now() - began;
            const next = readNextQuery(response.headers.link?.toString());
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString(), milliseconds, next });
          });
        });
        sent.once('error', reject).end(text);
      }),
    close: () => agent.destroy(),
  };
}

/** @throws when the answer has another status */
export function requireStatus(status: number, timed: TimedAnswer): TimedAnswer {
  if (timed.status !== status) throw new Error(`${timed.status} was answered instead of ${status}: ${timed.body}`);
  return timed;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

export function latencyOf(times: readonly number[]): Latency {
  const sorted = [...times].sort((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { p50: percentile(0.5), p99: percentile(0.99), worst: sorted.at(-1) ?? 0 };
}

export const LATENCY_HEAD = ['p50 ms', 'p99 ms', 'worst ms'];
export const latencyCells = ({ p50, p99, worst }: Latency) => [p50, p99, worst].map((time) => time.toFixed(2));

/** Whether median and p99 are at most `max` milliseconds. */
export const latencyVerdict = ({ p50, p99 }: Latency, max: number) =>
  `p50 ${max} ms: ${verdict(p50 <= max)}; p99 ${max} ms: ${verdict(p99 <= max)}`;

/** How many processes wait for a processor: without this number no time can be judged. */
export const describeLoad = () => `load of the machine ${os.loadavg()[0]?.toFixed(1)}`;
