import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type AddressParts, type Call, callAddress } from '../src/contract/call.ts';
import { reviewCalls } from '../src/contract/reviews.ts';
import { type Answer, call } from '../tests/support/call.ts';
import type { Pair } from './population.ts';

interface Parts extends AddressParts {
  token?: string;
  body?: object;
}

/** Sends one request. @throws {TypeError} when the server is gone */
export const ask = (url: string, method: string, path: string, { token, body }: Pick<Parts, 'token' | 'body'> = {}) =>
  call({ url }, `${method} ${path}`, { token, body });

const PATIENCE_MS = 10_000;
const ASK_AGAIN_AFTER_MS = 100;

/** Makes one call, and retries while it is answered 503. @throws after 10 s */
export async function sendPatiently(url: string, called: Call, parts: Parts = {}): Promise<Answer> {
  const patienceEnds = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await send(url, called, parts);
    if (answer.status !== 503) return answer;
    if (performance.now() > patienceEnds) throw new Error(`${called.path} was answered 503 for 10 s: ${answer.text}`);
    await setTimeout(ASK_AGAIN_AFTER_MS);
  }
}

const READ_EVERY_MS = 10;

/** Reads an address again and again until the signal. @returns the milliseconds of each. @throws when one fails */
export async function readUntil(address: string, stop: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!stop.aborted) {
    const began = performance.now();
    const answer = await fetch(address);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`A read was answered ${answer.status}.`);
    times.push(performance.now() - began);
    await setTimeout(READ_EVERY_MS);
  }
  return times;
}

/** Makes one call of the contract. @throws {TypeError} when the server is gone */
export function send(url: string, called: Call, parts: Parts = {}): Promise<Answer> {
  return ask(url, called.method, callAddress(called, parts), parts);
}

/** The call by which an author posts a review of an entry, and its parts. */
export function reviewPost({ target: { category, id }, author: { token } }: Pair, review: object) {
  return [reviewCalls(category).post, { token, body: { [category.itemKey]: { id }, ...review } }] as const;
}

/** A connection to a server, which may hang up. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => {});
}
