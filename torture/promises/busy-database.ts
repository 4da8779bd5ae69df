import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { reviewCalls } from '../../src/contract/reviews.ts';
import { reviewPost, send } from '../http.ts';
import { openSqlitePlace } from '../places.ts';
import { inTurn, type Population, pairsOf, populate, takeNext } from '../population.ts';
import { count, type Promised, percentile } from '../promise.ts';
import { type Fault, startServer } from '../server.ts';

const LOCKED_FOR_MS = 3_000;
const READ_EVERY_MS = 10;
const WRITE_EVERY_MS = 100;
const READ_P99_MAX_MS = 100;
const REFUSED_WITHIN_MS = 2_000;
const ROUNDS = 5;

interface Timed {
  readonly status: number;
  readonly ms: number;
  readonly hasRetryAfter: boolean;
}

async function time(asking: ReturnType<typeof send>): Promise<Timed> {
  const began = performance.now();
  const { status, headers } = await asking;
  return { status, ms: performance.now() - began, hasRetryAfter: headers.has('retry-after') };
}

/** Runs something periodically, whether or not the previous run has ended. */
async function every(interval: number, isOver: () => boolean, act: () => Promise<Timed>): Promise<Timed[]> {
  const pending: Promise<Timed>[] = [];
  while (!isOver()) {
    pending.push(act());
    await setTimeout(interval);
  }
  return Promise.all(pending);
}

/** Reads public data, cached and uncached, and posts for 3 s at a steady rate. */
async function work(url: string, { targets }: Population, pairs: ReturnType<typeof pairsOf>) {
  let reads = 0;
  const readOne = () => {
    const target = inTurn(targets, reads);
    reads += 1;
    // Every second read has a limit that was not used before, so that it misses the cache.
    const query = reads % 2 === 0 ? { limit: 1 + (reads % 100) } : {};
    return time(send(url, reviewCalls(target.category).list, { params: { id: target.id }, query }));
  };
  const writeOne = () => time(send(url, ...reviewPost(takeNext(pairs), { rating: 3, review: 'Patience.' })));
  const deadline = performance.now() + LOCKED_FOR_MS;
  const isOver = () => performance.now() > deadline;
  return Promise.all([every(READ_EVERY_MS, isOver, readOne), every(WRITE_EVERY_MS, isOver, writeOne)]);
}

/** Lets `working` run while this process holds the write lock. */
async function lockOut(file: string, working: () => ReturnType<typeof work>) {
  const others = new DatabaseSync(file);
  others.exec('BEGIN IMMEDIATE');
  const lettingGo = setTimeout(LOCKED_FOR_MS).then(() => others.close());
  const answers = await working();
  await lettingGo;
  return answers;
}

async function tryRounds(rounds: number, fault?: Fault) {
  using place = openSqlitePlace();
  const population = await populate(place.address, { targets: rounds + 1, accounts: 1 });
  const server = await startServer({ env: place.env, fault });
  const pairs = pairsOf(population);
  const [quiet] = await work(server.url, population, pairs);
  const reads: Timed[] = [];
  const writes: Timed[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [read, written] = await lockOut(place.address.sqlite, () => work(server.url, population, pairs));
    reads.push(...read);
    writes.push(...written);
  }
  await server.kill();
  return { quiet, reads, writes, errors: server.errors.length };
}

const isGoodWrite = ({ status, ms, hasRetryAfter }: Timed) =>
  status === 201 || (status === 503 && hasRetryAfter && ms <= REFUSED_WITHIN_MS);

const p99 = (answers: readonly Timed[]) =>
  percentile(
    answers.map(({ ms }) => ms),
    0.99,
  );

function describe({ quiet, reads, writes }: Record<'quiet' | 'reads' | 'writes', Timed[]>): string {
  const failed = reads.filter(({ status }) => status !== 200).length;
  const refused = writes.filter(({ status }) => status === 503);
  const slowest = Math.round(Math.max(0, ...refused.map(({ ms }) => ms)));
  return [
    `${count(reads.length, 'GETs')}, ${failed} not 200, p99 ${Math.round(p99(reads))} ms (${Math.round(p99(quiet))} ms without the lock)`,
    `${count(writes.length, 'posts')}, ${refused.length} refused, the slowest in ${slowest} ms, ${writes.filter((write) => !isGoodWrite(write)).length} otherwise`,
  ].join('; ');
}

export const busyDatabase: Promised = {
  id: 'R10',
  promise: 'another process that holds the write lock for 3 s stops no reader',
  async attempt({ rounds }) {
    const times = rounds(ROUNDS);
    const result = await tryRounds(times);
    const control = await tryRounds(1, 'waits-inside-sqlite');
    return [
      {
        promised: `public GET p99 at most ${READ_P99_MAX_MS} ms, on a busy machine no more than without the lock; writes done, or 503 with Retry-After within 2 s`,
        measured: describe(result),
        isKept:
          p99(result.reads) <= Math.max(READ_P99_MAX_MS, p99(result.quiet)) &&
          result.reads.every(({ status }) => status === 200) &&
          result.writes.every(isGoodWrite) &&
          result.errors === 0,
        control: `waiting inside SQLite for 5 s: ${describe(control)}`,
        isControlSeen: p99(control.reads) > Math.max(READ_P99_MAX_MS, p99(control.quiet)),
      },
    ];
  },
};
