import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BareAnswers } from './bare.ts';
import type { Burst, Load, LoadMaker } from './load.ts';
import { type RunningServer, startBare } from './servers.ts';
import type { Answer, Reading } from './workloads.ts';

export const ROUNDS = 3;
export const WARM_UP_SECONDS = 1;
/** Long enough for the server to compress the answers. */
const PAUSE_MS = 300;

/** One round: the product between two bursts of the limit. */
interface Round {
  readonly product: Burst;
  readonly limit: Burst;
  readonly share: number;
}

export interface Result extends Round {
  readonly name: string;
  readonly what: string;
  readonly goal?: number | undefined;
  /** The fewest requests a second that are allowed, where a share of the limit says nothing. */
  readonly requestsMin?: number | undefined;
  /** Milliseconds allowed for 99 of 100 answers. */
  readonly p99Max?: number | undefined;
}

export function medianBy<T>(values: readonly T[], by: (value: T) => number): T {
  const sorted = [...values].sort((one, other) => by(one) - by(other));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There is no median of nothing.');
  return middle;
}

export async function ask(origin: string, url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(origin + url, { headers: { 'Accept-Encoding': 'identity', ...headers } });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    etag: response.headers.get('etag'),
    body: Buffer.from(await response.arrayBuffer()),
  };
}

/** Asks for every path twice: the cache is warm then. @throws when an answer is not what it must be */
export async function checkReading({ name, load, findFault }: Reading, origin: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  for (const url of load.paths) {
    const answer = await ask(origin, url);
    const again = await ask(origin, url);
    const problem = answer.status === 200 ? findFault(answer.body.toString()) : `the status is ${answer.status}`;
    if (problem) throw new Error(`${name}, ${url}: ${problem}.`);
    if (!again.body.equals(answer.body)) throw new Error(`${name}, ${url}: the second answer differs.`);
    answers.set(url, answer);
  }
  return answers;
}

/** Starts a bare server with these answers. */
export async function startLimit(answers: ReadonlyMap<string, Answer>): Promise<RunningServer> {
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'school-reviews-bare-'));
  const file = path.join(folder.path, 'answers.json');
  const contents: BareAnswers = {};
  for (const [url, { status, type, body }] of answers) contents[url] = { status, type, body: body.toString('base64') };
  writeFileSync(file, JSON.stringify(contents));
  return await startBare(file);
}

async function revalidating({ name, load }: Reading, origin: string, answers: Map<string, Answer>): Promise<Load> {
  const [[url, { etag }] = ['', { etag: null }]] = answers;
  const headers = { 'If-None-Match': etag ?? '' };
  const { status, body } = await ask(origin, url, headers);
  if (status !== 304 || body.length > 0) throw new Error(`${name}: ${status} was answered instead of 304.`);
  return { ...load, headers };
}

function meanOf(one: Burst, other: Burst): Burst {
  const mean = (key: keyof Burst) => (one[key] + other[key]) / 2;
  return {
    requestsPerSecond: mean('requestsPerSecond'),
    p50: mean('p50'),
    p99: mean('p99'),
    requests: mean('requests'),
    processorTime: mean('processorTime'),
  };
}

/**
 * Measures the limit, the product and the limit again, three times: what the machine does meanwhile hits both.
 * @returns the round with the median share
 */
export async function compare(burst: () => Promise<Burst>, burstOfLimit: () => Promise<Burst>): Promise<Round> {
  const rounds: Round[] = [];
  let before = await burstOfLimit();
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await burst();
    const after = await burstOfLimit();
    const limit = meanOf(before, after);
    rounds.push({ product, limit, share: product.requestsPerSecond / limit.requestsPerSecond });
    before = after;
  }
  return medianBy(rounds, ({ share }) => share);
}

/** Measures a read against the limit with the same bytes. */
export async function measureReading(
  loadMaker: LoadMaker,
  reading: Reading,
  server: RunningServer,
  { seconds, p99OfLimit }: { seconds: number; p99OfLimit?: number },
): Promise<Result> {
  const answers = await checkReading(reading, server.origin);
  const load = reading.isRevalidated ? await revalidating(reading, server.origin, answers) : reading.load;
  const bare = await startLimit(answers);
  try {
    await loadMaker.burst(server, load, WARM_UP_SECONDS);
    await loadMaker.burst(bare, load, WARM_UP_SECONDS);
    await setTimeout(PAUSE_MS);
    const round = await compare(
      () => loadMaker.burst(server, load, seconds),
      () => loadMaker.burst(bare, load, seconds),
    );
    const { name, what, goal } = reading;
    return { ...round, name, what, goal, p99Max: p99OfLimit && p99OfLimit * round.limit.p99 };
  } finally {
    await bare.stop();
  }
}
