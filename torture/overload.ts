// node torture/overload.ts [--seconds N] [--control]: promise R7. Three times as many requests as can be served.
import { Agent, get } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../bench/data.ts';
import { readOptions } from '../bench/options.ts';
import { type RunningServer, startProduct } from '../bench/servers.ts';
import { CATEGORIES } from '../src/contract/categories.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '30' }, control: { type: 'boolean', default: false } },
});
const SECONDS = Number(values.seconds);
const CAPACITY_SECONDS = 5;
const TIMES_CAPACITY = 3;
/** As many as keep one core busy without queueing for long. */
const CLOSED_LOOP = 8;
const TICK_MS = 10;

interface Sent {
  at: number;
  took: number;
  /** 0: the connection broke. */
  status: number;
}

function ask(url: string, agent: Agent): Promise<Sent> {
  const at = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ at, status, took: performance.now() - at });
    get(url, { agent }, (response) => response.resume().on('end', () => end(response.statusCode ?? 0))).on(
      'error',
      () => end(0),
    );
  });
}

async function measureCapacity(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const ends = performance.now() + CAPACITY_SECONDS * 1000;
  let answered = 0;
  const one = async () => {
    while (performance.now() < ends) if ((await ask(url, agent)).status === 200) answered += 1;
  };
  await Promise.all(Array.from({ length: CLOSED_LOOP }, one));
  agent.destroy();
  return answered / CAPACITY_SECONDS;
}

/** Sends so many a second whatever comes back. */
async function pour(url: string, perSecond: number, seconds: number, onTick: () => void): Promise<Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const began = performance.now();
  const sent: Promise<Sent>[] = [];
  while (performance.now() - began < seconds * 1000) {
    const due = ((performance.now() - began) / 1000) * perSecond;
    while (sent.length < due) sent.push(ask(url, agent));
    onTick();
    await setTimeout(TICK_MS);
  }
  const all = await Promise.all(sent);
  agent.destroy();
  return all;
}

function quantile(values: readonly Sent[], share: number): number {
  const sorted = values.map(({ took }) => took).sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function recoveryTime(url: string, server: RunningServer): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const began = performance.now();
  for (;;) {
    const { status, took } = await ask(url, agent);
    if (status === 200 && took < 100) break;
    if (performance.now() - began > 60_000) throw new Error(`${server.origin} did not recover within a minute.`);
  }
  agent.destroy();
  return performance.now() - began;
}

const options = readOptions(['--schools', '50', '--reviews', '1000']);
const store = await openStore(options);
const patches = ['costly-reads.mjs', ...(values.control ? ['without-shedding.mjs'] : [])];
const server = await startProduct(store, options, {
  CACHE_MB: '0',
  LOG_LEVEL: 'error',
  NODE_OPTIONS: patches.map((patch) => `--import=${import.meta.dirname}/${patch}`).join(' '),
});
const path = `${server.origin}/auth/${CATEGORIES[0]?.calls.averageRating}/1`;
const capacity = await measureCapacity(path);
const before = server.memory();
let most = before;
const health: Promise<Sent>[] = [];
const healthAgent = new Agent({ keepAlive: true });
let ticks = 0;
const all = await pour(path, capacity * TIMES_CAPACITY, SECONDS, () => {
  ticks += 1;
  most = Math.max(most, server.memory());
  if (ticks % 20 === 0) health.push(ask(`${server.origin}/healthz`, healthAgent));
});
const recovered = await recoveryTime(path, server);
const served = all.filter(({ status }) => status === 200);
const refused = all.filter(({ status }) => status === 503);
const healthAnswers = await Promise.all(health);
console.log({
  capacity: Math.round(capacity),
  offered: Math.round(all.length / SECONDS),
  served: Math.round(served.length / SECONDS),
  servedShare: served.length / SECONDS / capacity,
  servedP99: quantile(served, 0.99),
  refused: refused.length,
  refusedP50: quantile(refused, 0.5),
  broken: all.length - served.length - refused.length,
  healthMax: quantile(healthAnswers, 1),
  healthFailures: healthAnswers.filter(({ status }) => status !== 200).length,
  memoryMore: most - before,
  recovered,
});
healthAgent.destroy();
await server.stop();
await store.remove();
