import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { refusals } from './refusals/refusals.ts';

function isLoopback(address = ''): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/** A request through a proxy on this machine also comes from loopback, but it has one of these headers. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Makes the function that decides who may read the metrics: clients on this machine, and clients with the token.
 * @param token undefined: everybody may
 * @returns a function that throws a 401 for other clients
 */
export function createMetricsAccess(token: string | undefined): (request: IncomingMessage) => void {
  if (token === undefined) return () => {};
  const expected = digest(`Bearer ${token}`);
  return ({ headers, socket }) => {
    const isLocal = isLoopback(socket.remoteAddress) && !PASSED_ON.some((name) => headers[name] !== undefined);
    if (isLocal || timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
    throw refusals.noMetricsToken();
  };
}
