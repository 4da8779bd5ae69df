import { setTimeout } from 'node:timers/promises';
import { type AddressParts, type Call, callAddress } from '../src/contract/call.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed when it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: trials look into answers of every shape.
  readonly body: any;
}

interface Parts extends AddressParts {
  token?: string;
  body?: object;
}

/** Sends one request. @throws {TypeError} when the server is gone */
export async function ask(
  url: string,
  method: string,
  path: string,
  { token, body }: Pick<Parts, 'token' | 'body'> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

const PATIENCE_MS = 10_000;
const ASK_AGAIN_AFTER_MS = 100;

/** Retries as a client does that follows Retry-After. @throws when that goes on for 10 s */
export async function sendPatiently(url: string, call: Call, parts: Parts = {}): Promise<Answer> {
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await send(url, call, parts);
    if (answer.status !== 503) return answer;
    if (performance.now() > patienceEnds) throw new Error(`${call.path} was answered 503 for 10 s: ${answer.text}`);
    await setTimeout(ASK_AGAIN_AFTER_MS);
  }
}

/** Makes one call of the contract. @throws {TypeError} when the server is gone */
export function send(url: string, call: Call, parts: Parts = {}): Promise<Answer> {
  return ask(url, call.method, callAddress(call, parts), parts);
}
