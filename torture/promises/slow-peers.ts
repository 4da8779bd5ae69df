import os from 'node:os';
import * as accounts from '../../src/contract/accounts.ts';
import { callAddress } from '../../src/contract/call.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { openSocket, readUntil } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { populate } from '../population.ts';
import { count, type Finding, type Promised, percentile, seconds } from '../promise.ts';
import { type Fault, memoryOf, startServer } from '../server.ts';

const DRIPPERS = 500;
const DRIP_EVERY_MS = 1_000;
const CUT_WITHIN_MS = 12_000;
/** Longer than any of these connections may stay open. */
const WATCHED_MS = 20_000;
const LOGINS = 200;
const BODY_BYTES = 10_000_000;
const BODIES = 20;
const MAX = { readP99: 100, readP99BesideLogins: 200, refusedMs: 100, memoryMb: 20 };

/** Sends a byte of a head each second. @returns the milliseconds until the server hung up, or its watch ended */
async function drip(url: string, stop: AbortSignal): Promise<number> {
  const socket = openSocket(url);
  const began = performance.now();
  const { promise: cut, resolve } = Promise.withResolvers<number>();
  socket.once('close', () => resolve(performance.now() - began));
  socket.resume();
  socket.write('GET /auth/schools HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const timer = setInterval(() => socket.write('x'), DRIP_EVERY_MS);
  stop.addEventListener('abort', () => socket.destroy());
  const lived = await cut;
  clearInterval(timer);
  return lived;
}

async function besideDrippers(url: string, address: string) {
  const stop = AbortSignal.timeout(WATCHED_MS);
  const reads = readUntil(url + address, stop);
  const lives = await Promise.all(Array.from({ length: DRIPPERS }, () => drip(url, stop)));
  return { longest: Math.max(...lives), p99: percentile(await reads, 0.99) };
}

async function besideLogins(url: string, address: string, email: string): Promise<{ p99: number; answered: number }> {
  const stop = new AbortController();
  const reads = readUntil(url + address, stop.signal);
  const body = JSON.stringify({ email, password: 'certainly not the right one' });
  const headers = { 'Content-Type': 'application/json' };
  const logIn = () => fetch(url + accounts.login.path, { method: 'POST', headers, body });
  const answers = await Promise.all(Array.from({ length: LOGINS }, logIn));
  stop.abort();
  const answered = answers.filter(({ status }) => status === 401 || status === 429).length;
  return { p99: percentile(await reads, 0.99), answered };
}

/** Sends a body of 10 MB as fast as it is taken; its length is announced. @returns the status of the answer, if there is one */
async function sendLargeBody(url: string): Promise<string | undefined> {
  const socket = openSocket(url);
  socket.write(`POST ${accounts.login.path} HTTP/1.1\r\nHost: localhost\r\n`);
  socket.write(`Content-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
  socket.write(Buffer.alloc(BODY_BYTES, 0x20));
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  socket.once('data', (head: Buffer) => resolve(head.toString().split(' ', 2)[1]));
  socket.once('close', () => resolve(undefined));
  const status = await promise;
  socket.destroy();
  return status;
}

/** @returns the longest wait for an answer in milliseconds, and how many megabytes the server grew */
async function sendLargeBodies(url: string, pid: number) {
  const before = memoryOf(pid, 'RssAnon');
  const times: number[] = [];
  let refused = 0;
  for (let round = 0; round < BODIES; round += 1) {
    const began = performance.now();
    const status = await sendLargeBody(url);
    times.push(performance.now() - began);
    if (status === '413') refused += 1;
  }
  return { refused, slowest: Math.max(...times), growth: memoryOf(pid, 'RssAnon') - before };
}

async function endure(fault?: Fault) {
  using place = openSqlitePlace();
  const population = await populate(place.address, { targets: 1, accounts: 1 });
  const [target] = population.targets;
  const [account] = population.accounts;
  const address = callAddress(reviewCalls(target.category).list, { params: { id: target.id } });
  const server = await startServer({ env: place.env, fault });
  const drippers = await besideDrippers(server.url, address);
  const logins = fault ? undefined : await besideLogins(server.url, address, account.email);
  const bodies = fault ? undefined : await sendLargeBodies(server.url, server.pid);
  const faults = server.errors.map((line) => JSON.stringify(line));
  await server.kill();
  return { drippers, logins, bodies, faults };
}

export const slowPeers: Promised = {
  id: 'R17',
  promise: 'slow, many and large requests are somebody else’s problem (T17, T18)',
  needs: () => (os.type() === 'Linux' ? undefined : '/proc of Linux'),
  async attempt(): Promise<Finding[]> {
    const { drippers, logins, bodies, faults } = await endure();
    const control = await endure('waits-for-slow-heads');
    if (!logins || !bodies) throw new Error('Not everything was tried.');
    const isKept =
      drippers.longest <= CUT_WITHIN_MS &&
      drippers.p99 <= MAX.readP99 &&
      logins.p99 <= MAX.readP99BesideLogins &&
      logins.answered === LOGINS &&
      bodies.refused === BODIES &&
      bodies.slowest <= MAX.refusedMs &&
      bodies.growth <= MAX.memoryMb &&
      faults.length === 0;
    return [
      {
        promised: `${DRIPPERS} dripping heads cut within ${CUT_WITHIN_MS / 1000} s beside reads of p99 ${MAX.readP99} ms; ${LOGINS} logins at once, reads p99 ${MAX.readP99BesideLogins} ms; 10 MB refused within ${MAX.refusedMs} ms, +${MAX.memoryMb} MB at most`,
        measured: [
          `${count(DRIPPERS, 'cut')} after at most ${seconds(drippers.longest)}, reads p99 ${drippers.p99.toFixed(0)} ms`,
          `${count(logins.answered, 'logins')} answered, reads p99 ${logins.p99.toFixed(0)} ms`,
          `${count(bodies.refused, 'bodies')} refused, the slowest in ${bodies.slowest.toFixed(0)} ms, ${bodies.growth >= 0 ? '+' : ''}${bodies.growth.toFixed(0)} MB`,
          ...faults,
        ].join('; '),
        isKept,
        control: `Node's own times for a head: the last one open for ${seconds(control.drippers.longest)} or longer`,
        isControlSeen: control.drippers.longest > CUT_WITHIN_MS,
      },
    ];
  },
};
