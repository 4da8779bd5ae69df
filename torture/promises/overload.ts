import { spawnSync } from 'node:child_process';
import { Agent, get } from 'node:http';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { callAddress } from '../../src/contract/call.ts';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { openSqlitePlace } from '../places.ts';
import { populate } from '../population.ts';
import { count, type Promised, percentile } from '../promise.ts';
import { type Fault, memoryOf, startServer } from '../server.ts';
import { timeUntil } from '../waiting.ts';

const SECONDS = 30;
const CAPACITY_SECONDS = 5;
const TIMES_CAPACITY = 3;
/** Requests in flight: as many as keep one core busy without queueing for long. */
const CLOSED_LOOP = 8;
const TICK_MS = 10;
const HEALTH_EVERY_TICKS = 20;
/** A request without a response after so long counts as broken: else it could keep the trial from ending. */
const PATIENCE_MS = 20_000;
/** The response time up to which the product counts as recovered. */
const NORMAL_MS = 100;

const MAX = { servedP99: 1_000, refusedP50: 100, health: 500, recovery: 2_000, memory: 150 };
const SHARE_MIN = 0.7;

interface Sent {
  readonly ms: number;
  /** 0: the connection broke. */
  readonly status: number;
}

function ask(url: string, agent: Agent): Promise<Sent> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - began });
    get(url, { agent, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
      // Not "end", which never comes for an answer that is cut.
      response.resume().once('close', () => end(response.complete ? (response.statusCode ?? 0) : 0));
    }).on('error', () => end(0));
  });
}

async function measureCapacity(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const deadline = performance.now() + CAPACITY_SECONDS * 1000;
  let answered = 0;
  const askOn = async () => {
    while (performance.now() < deadline) if ((await ask(url, agent)).status === 200) answered += 1;
  };
  await Promise.all(Array.from({ length: CLOSED_LOOP }, askOn));
  agent.destroy();
  return answered / CAPACITY_SECONDS;
}

/** Sends requests at a steady rate, however they are answered. */
async function sendSteadily(url: string, perSecond: number, seconds: number, onTick: (tick: number) => void) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const began = performance.now();
  const sent: Promise<Sent>[] = [];
  for (let tick = 0; performance.now() - began < seconds * 1000; tick += 1) {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (sent.length < due) sent.push(ask(url, agent));
    onTick(tick);
    await setTimeout(TICK_MS);
  }
  const sentFor = (performance.now() - began) / 1000;
  const all = await Promise.all(sent);
  agent.destroy();
  return { all, sentFor };
}

async function recoveryTime(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const isNormal = async () => {
    const { status, ms } = await ask(url, agent);
    return status === 200 && ms < NORMAL_MS;
  };
  const recovered = await timeUntil(isNormal, Number.POSITIVE_INFINITY, 0);
  agent.destroy();
  return recovered;
}

/** The server gets the first core for itself, or the load that this process makes would slow it. */
function pin(): readonly string[] {
  if (os.availableParallelism() < 2 || spawnSync('taskset', ['-cp', '1', String(process.pid)]).error) return [];
  return ['taskset', '-c', '0'];
}

async function tryOverload(seconds: number, fault: Fault) {
  using place = openSqlitePlace();
  const [target] = (await populate(place.address, { targets: 1, accounts: 1 })).targets;
  const env = { ...place.env, CACHE_MB: '0', LOG_LEVEL: 'error' };
  const server = await startServer({ env, fault, under: pin() });
  const url = server.url + callAddress(reviewCalls(target.category).averageRating, { params: { id: target.id } });
  const capacity = await measureCapacity(url);
  const atRest = memoryOf(server.pid, 'VmRSS');
  let most = atRest;
  const health: Promise<Sent>[] = [];
  const healthAgent = new Agent({ keepAlive: true });
  const { all, sentFor } = await sendSteadily(url, capacity * TIMES_CAPACITY, seconds, (tick) => {
    most = Math.max(most, memoryOf(server.pid, 'VmRSS'));
    if (tick % HEALTH_EVERY_TICKS === 0) health.push(ask(`${server.url}/healthz`, healthAgent));
  });
  const recovery = await recoveryTime(url);
  const healthTimes = (await Promise.all(health)).map(({ status, ms }) =>
    status === 200 ? ms : Number.POSITIVE_INFINITY,
  );
  healthAgent.destroy();
  await server.kill();
  const timesOf = (wanted: number) => all.filter(({ status }) => status === wanted).map(({ ms }) => ms);
  const served = timesOf(200);
  const refused = timesOf(503);
  return {
    capacity,
    offered: all.length / sentFor,
    served: served.length / sentFor,
    share: served.length / sentFor / capacity,
    servedP99: percentile(served, 0.99),
    refused: refused.length,
    refusedP50: refused.length > 0 ? percentile(refused, 0.5) : Number.NaN,
    broken: all.length - served.length - refused.length,
    health: Math.max(...healthTimes),
    memory: most - atRest,
    recovery,
  };
}

type Result = Awaited<ReturnType<typeof tryOverload>>;

const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;

function describe(result: Result): string {
  const { capacity, offered, served, share, refused, broken } = result;
  return [
    `${Math.round(capacity)}/s are the most it serves, ${Math.round(offered)}/s offered, ${Math.round(served)}/s served (${Math.round(share * 100)} %), p99 ${ms(result.servedP99)}`,
    refused > 0 ? `${count(refused, 'refused')}, p50 ${ms(result.refusedP50)}` : 'none refused',
    `${count(broken, 'broken connections')}, /healthz within ${ms(result.health)}, ${Math.round(result.memory)} MB more, normal after ${ms(result.recovery)}`,
  ].join('; ');
}

const isKept = (result: Result) =>
  result.servedP99 <= MAX.servedP99 &&
  result.refusedP50 <= MAX.refusedP50 &&
  result.broken === 0 &&
  result.share >= SHARE_MIN &&
  result.health <= MAX.health &&
  result.memory <= MAX.memory &&
  result.recovery <= MAX.recovery;

export const overload: Promised = {
  id: 'R7',
  promise: 'three times what can be served is served as far as it goes, the rest refused at once',
  async attempt({ rounds }) {
    const seconds = rounds(SECONDS);
    const result = await tryOverload(seconds, 'costly-reads');
    const control = await tryOverload(seconds, 'admits-everything');
    return [
      {
        promised: `for 30 s: served p99 at most ${MAX.servedP99} ms, refused p50 ${MAX.refusedP50} ms, no broken connection, ${SHARE_MIN * 100} % of the peak, /healthz ${MAX.health} ms, ${MAX.memory} MB more, normal in ${MAX.recovery} ms`,
        measured: describe(result),
        isKept: isKept(result),
        control: `admitting everything: ${describe(control)}`,
        isControlSeen: !isKept(control),
      },
    ];
  },
};
