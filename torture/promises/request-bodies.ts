import { once } from 'node:events';
import type { Socket } from 'node:net';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { callAddress } from '../../src/contract/call.ts';
import * as profiles from '../../src/contract/profiles.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { openSocket } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { populate } from '../population.ts';
import { count, type Finding, type Promised, percentile } from '../promise.ts';
import { type Fault, memoryOf, type Server, startServer } from '../server.ts';

const MEGABYTE = 1024 * 1024;
const NESTED = 40;
/** In each round the slowest read counts: one round says little. */
const ROUNDS = 5;
const UNFINISHED = 900;
/** How many of the unfinished bodies are opened at the same time. */
const OPENED_AT_ONCE = 50;
const READ_EVERY_MS = 2;
const SAMPLE_EVERY_MS = 50;
/** The difference between two measurements: reads during nested bodies may be slower by it. */
const NOISE_MS = 20;
const MAX = { nestedMb: 64, unfinishedMb: 100 };

const NESTED_BODY = Buffer.from(`{"schools":${'['.repeat(MEGABYTE / 2 - 10)}${']'.repeat(MEGABYTE / 2 - 10)}}`);
const FLAT_BODY = Buffer.from(`{"schools":["${'x'.repeat(MEGABYTE - 20)}"]}`);

interface Target {
  readonly server: Server;
  readonly token: string;
  /** What is read meanwhile. */
  readonly address: string;
}

/** Watches the memory of a server while something is done to it. @returns by how many MB it grew at most */
async function growthWhile(server: Server, act: () => Promise<void>): Promise<number> {
  const before = memoryOf(server.pid, 'VmRSS');
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server.pid, 'VmRSS'));
  }, SAMPLE_EVERY_MS);
  await act();
  clearInterval(timer);
  return Math.max(most, memoryOf(server.pid, 'VmRSS')) - before;
}

/** Opens a connection and sends the beginning of a recommendation. */
async function send({ server, token }: Target, body: Buffer, length: number): Promise<Socket> {
  const socket = openSocket(server.url);
  socket.resume();
  const head = [
    `POST ${profiles.recommendSchool.path} HTTP/1.1`,
    ...['Host: localhost', 'Content-Type: application/json', 'Connection: close', `Content-Length: ${length}`],
    ...(token ? [`Authorization: Bearer ${token}`] : []),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // This also ends when the server hangs up: what was not sent then is not held either.
  await new Promise((resolve) => socket.write(body, resolve));
  return socket;
}

async function sendWhole(target: Target, body: Buffer): Promise<void> {
  const socket = await send(target, body, body.length);
  if (!socket.closed) await once(socket, 'close');
}

/** The slowest of the reads beside 40 bodies at once, half of them with a token: the median of a few times. */
async function slowestReadBeside(target: Target, body: Buffer): Promise<number> {
  const slowest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const sending = Promise.all(
      Array.from({ length: NESTED }, (_, index) =>
        sendWhole({ ...target, token: index % 2 === 0 ? target.token : '' }, body),
      ),
    ).then(() => {
      isOver = true;
    });
    let most = 0;
    while (!isOver) {
      const began = performance.now();
      await (await fetch(target.server.url + target.address)).arrayBuffer();
      most = Math.max(most, performance.now() - began);
      await setTimeout(READ_EVERY_MS);
    }
    await sending;
    slowest.push(most);
  }
  return percentile(slowest, 0.5);
}

async function sendNested(target: Target) {
  // Once before the measurement, without which the first body would cost more.
  await sendWhole(target, FLAT_BODY);
  const beside = { flat: await slowestReadBeside(target, FLAT_BODY), nested: 0 };
  const growth = await growthWhile(target.server, async () => {
    beside.nested = await slowestReadBeside(target, NESTED_BODY);
  });
  return { ...beside, growth };
}

/** Bodies that lack their last byte. */
async function sendUnfinished(target: Target): Promise<number> {
  const open: Socket[] = [];
  const growth = await growthWhile(target.server, async () => {
    while (open.length < UNFINISHED) {
      const some = Array.from({ length: OPENED_AT_ONCE }, () =>
        send(target, FLAT_BODY.subarray(0, -1), FLAT_BODY.length),
      );
      open.push(...(await Promise.all(some)));
    }
  });
  for (const socket of open) socket.destroy();
  return growth;
}

async function withServer<T>(fault: Fault | undefined, act: (target: Target) => Promise<T>): Promise<T> {
  using place = openSqlitePlace();
  const { targets, reviewers } = await populate(place.address, { targets: 1, accounts: 1 });
  const [entry] = targets;
  const [{ token }] = reviewers;
  const server = await startServer({ env: { ...place.env, LOG_LEVEL: 'error' }, fault });
  const address = callAddress(reviewCalls(entry.category).list, { params: { id: entry.id } });
  const result = await act({ server, token, address });
  if (server.errors.length > 0) throw new Error(`Logged at error: ${JSON.stringify(server.errors[0])}`);
  await server.kill();
  return result;
}

type Nested = Awaited<ReturnType<typeof sendNested>>;

const describeNested = ({ flat, nested, growth }: Nested) =>
  `the slowest read ${nested.toFixed(0)} ms beside ${NESTED} nested bodies, ${flat.toFixed(0)} ms beside as many flat ones; ${growth.toFixed(0)} MB more`;
const isNestedKept = ({ flat, nested, growth }: Nested) => nested <= flat + NOISE_MS && growth <= MAX.nestedMb;
const describeUnfinished = (growth: number) =>
  `${count(UNFINISHED, 'bodies')} without their last byte: ${growth.toFixed(0)} MB more`;

export const requestBodies: Promised = {
  id: 'R18',
  promise: 'a body that nobody needs costs next to nothing (T17)',
  needs: () => (os.type() === 'Linux' ? undefined : '/proc of Linux'),
  async attempt({ say }): Promise<Finding[]> {
    const nested = await withServer(undefined, sendNested);
    say(describeNested(nested));
    const unfinished = await withServer(undefined, sendUnfinished);
    say(describeUnfinished(unfinished));
    const nestedControl = await withServer('builds-bodies', sendNested);
    const unfinishedControl = await withServer('builds-bodies', sendUnfinished);
    return [
      {
        on: 'nested',
        promised: `${NESTED} bodies of 1 MB at once, half a million lists each, every second one with a token: the slowest read at most ${NOISE_MS} ms slower than beside flat bodies, ${MAX.nestedMb} MB more at most`,
        measured: describeNested(nested),
        isKept: isNestedKept(nested),
        control: `bodies held and built: ${describeNested(nestedControl)}`,
        isControlSeen: !isNestedKept(nestedControl),
      },
      {
        on: 'unfinished',
        promised: `${UNFINISHED} bodies of 1 MB from one address, with a token: ${MAX.unfinishedMb} MB more at most`,
        measured: describeUnfinished(unfinished),
        isKept: unfinished <= MAX.unfinishedMb,
        control: `bodies held and built: ${describeUnfinished(unfinishedControl)}`,
        isControlSeen: unfinishedControl > MAX.unfinishedMb,
      },
    ];
  },
};
